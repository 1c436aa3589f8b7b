import { hideUrl } from '@/lib/schemas/hidden';
import { testPayloadSchema } from '@/lib/schemas/webhooks/delivery';
import type { Rendered } from './rendered';
import { templateThreads } from './template-threads';

/** What the template of an endpoint writes for an event, whose payload is JSON. The URL of a test can be secret. */
export async function renderStored(
  organizationId: string,
  template: string | null,
  event: string,
): Promise<Rendered> {
  if (template === null)
    return { text: null, problem: 'was removed when the format of the endpoint changed' };
  const payload: unknown = JSON.parse(event);
  const { data: test } = testPayloadSchema.safeParse(payload);
  const shown = test && { ...test, webhook: { ...test.webhook, url: hideUrl(test.webhook.url) } };
  const [rendered] = await templateThreads.render(organizationId, template, [shown ?? Object(payload)]);
  return rendered ?? { text: null, problem: 'was not rendered' };
}
