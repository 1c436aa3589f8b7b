import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEvents } from '@/lib/domain/webhooks/formats/sample-events';
import { testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { beginDeliveryStory } from '@/lib/engine/testing/delivery-story';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';

const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** The template of the form and the documentation, and one with headers. */
const ENDPOINTS = {
  document: {
    headers: {},
    template: '{"title": {{ incident.title | json }}, "status": {{ incident.status | json }}}',
  },
  text: {
    headers: { Authorization: 'Bearer 0123456789', 'Content-Type': 'text/plain', 'X-Team': 'Payments' },
    template: `{{ event }} at {{ timestamp | date: "%H:%M" }} UTC: {{ monitor.name | default: incident.title | default: "a test" }}
{% if details.errorMessage %}{{ details.errorMessage }} from {{ details.region }}
{% endif %}{% for tag in monitor.tags %}#{{ tag }} {% endfor %}{{ incident.severity | upcase }}
`,
  },
};
const NAMES = Object.keys(ENDPOINTS) as (keyof typeof ENDPOINTS)[];

describe.each(NAMES)('a custom endpoint with the template “%s”', (name) => {
  it.each(createEvents())('gets $event as in the golden file', async (sample) => {
    receiver.respondWith(200);
    const story = await beginDeliveryStory(database.db, receiver, { format: 'custom', ...ENDPOINTS[name] });
    if (sample.event === 'webhook.test') await testWebhook(story.ctx, story.endpoint.id);
    else await story.emit(sample);
    await story.send();
    const [request] = story.requests();
    const sent = ['content-type', ...Object.keys(ENDPOINTS[name].headers)].map((header) =>
      header.toLowerCase(),
    );
    const headers = Object.fromEntries(sent.map((header) => [header, request?.headers[header]]));
    const golden = `${JSON.stringify({ headers, body: request?.body }, null, 2)}\n`;
    await expect(golden).toMatchFileSnapshot(`./testing/golden/custom/${name}/${sample.event}.json`);
  });
});
