import { testUnsavedWebhook } from '@/lib/domain/webhooks/test-unsaved';
import { getEnvironment } from '@/lib/env';
import { parseInput } from '@/lib/schemas/validation';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { respondToPage } from '../../respond-to-page';
import { readTypedEndpoint } from '../read-typed-endpoint';

/** Sends a test with what is typed in the form of a new channel. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, 'webhook.create', async (ctx, body) => {
    const input = parseInput(createWebhookSchema, await readTypedEndpoint(ctx, body));
    return testUnsavedWebhook(ctx, input, { serviceName: getEnvironment().SERVICE_NAME });
  });
}
