import type { PageProps } from '@/app/page-props';
import { testChangedWebhook } from '@/lib/domain/webhooks/test-unsaved';
import { getEnvironment } from '@/lib/env';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { updateWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { respondToPage } from '../../../respond-to-page';
import { readTypedEndpoint } from '../../read-typed-endpoint';

/** Sends a test with what is typed in the form of an existing channel. */
export function POST(request: Request, { params }: PageProps<'id'>): Promise<Response> {
  return respondToPage(request, 'webhook.update', async (ctx, body) => {
    const id = parseInput(nameOfObject, (await params).id);
    const changes = parseInput(updateWebhookSchema, await readTypedEndpoint(ctx, body));
    return testChangedWebhook(ctx, id, changes, { serviceName: getEnvironment().SERVICE_NAME });
  });
}
