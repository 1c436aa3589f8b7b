import { readEndpointForm } from '@/app/(dashboard)/notifications/endpoint-values';
import { testUnsavedWebhook } from '@/lib/domain/webhooks/test-unsaved';
import { getEnvironment } from '@/lib/env';
import { parseInput, unsavedTestSchema } from '@/lib/schemas/validation';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { getWeb } from '@/lib/web/http/server-services';
import { respondToPage } from '../../respond-to-page';

/** More than a person needs to get a channel right; they go to hosts that anyone can name. */
const TESTS_PER_MINUTE = 20;

/** Sends a test with what is typed in the form of a new channel. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, 'webhook.create', async (ctx, body) => {
    const { typed } = parseInput(unsavedTestSchema, body);
    await getWeb().rateLimiter.count(`unsaved tests ${ctx.organizationId}`, TESTS_PER_MINUTE);
    const form = new FormData();
    for (const [name, value] of Object.entries(typed)) form.set(name, value);
    const input = parseInput(createWebhookSchema, readEndpointForm(form));
    return testUnsavedWebhook(ctx, input, { serviceName: getEnvironment().SERVICE_NAME });
  });
}
