import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acknowledgeFromMessage } from '@/lib/domain/incidents/acknowledge/acknowledge-from-message';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { getDelivery } from '@/lib/domain/webhooks/read-deliveries';
import { beginDeliveryStory } from '@/lib/engine/testing/delivery-story';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { isReadByPeople, WEBHOOK_FORMATS, type WebhookFormat } from '@/lib/webhook-formats/formats';
import { exampleOf } from '@/lib/webhook-formats/testing/example';

const APP_URL = 'https://pharos.example.com';
const TOKEN = /https:\/\/pharos\.example\.com\/acknowledge\/(del_\w+\.\w+\.[0-9a-f]{64})/;

const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** An endpoint, and what it is sent about a new incident. */
async function begin(format: WebhookFormat, appUrl: string | null = APP_URL) {
  const story = await beginDeliveryStory(database.db, receiver, { ...exampleOf(format), appUrl });
  const { ctx } = story;
  return {
    ...story,
    open: () => createIncident(ctx, createIncidentSchema.parse({ title: 'Shop is slow' })),
    sent: () => receiver.requests.filter(({ path }) => path.startsWith(`/${story.organizationId}`)),
    shown: async () => JSON.stringify(await getDelivery(ctx, (await story.delivery()).id)),
  };
}

describe.each(WEBHOOK_FORMATS)('what is sent in the format %s about an open incident', (format) => {
  it(`${isReadByPeople(format) ? 'has one' : 'has no'} link that acknowledges it`, async () => {
    const story = await begin(format);
    const { id } = await story.open();
    await story.send();
    const [request] = story.sent();
    const found = request?.body.match(new RegExp(TOKEN, 'g')) ?? [];
    expect(new Set(found).size).toBe(isReadByPeople(format) ? 1 : 0);
    const [, token] = TOKEN.exec(request?.body ?? '') ?? [];
    if (token === undefined) return;
    await acknowledgeFromMessage(story.ctx, token, { userId: null, address: null });
    expect((await getIncident(story.ctx, id)).acknowledgedBy).toMatch(/^someone in /);
  });
});

describe('a message with a link', () => {
  it('is stored and shown without it, also if the receiver repeats it', async () => {
    const story = await begin('slack');
    await story.open();
    receiver.respondWith(400, 'unknown');
    await story.send();
    const [, token = ''] = TOKEN.exec(story.sent()[0]?.body ?? '') ?? [];
    receiver.respondWith(400, `invalid_blocks: <${APP_URL}/acknowledge/${token}|Acknowledge>`);
    story.clock.advance(60_000);
    await story.send();
    const shown = await story.shown();
    const [mac = ''] = token.split('.').slice(-1);
    expect(mac).toHaveLength(64);
    expect(shown).not.toContain(mac);
    expect(shown).toContain(`/acknowledge/${(await story.delivery()).id}.[hidden]`);
    expect(shown).toContain('invalid_blocks');
  });

  it('is the same bytes on every attempt', async () => {
    const story = await begin('slack');
    await story.open();
    receiver.respondWith(503);
    await story.send();
    story.clock.advance(60_000);
    await story.send();
    const [first, second] = story.sent();
    expect(first?.body).toMatch(TOKEN);
    expect(second?.body).toBe(first?.body);
  });

  it('has none while the URL of the dashboard is unknown, or its endpoint has links turned off', async () => {
    for (const story of [await begin('slack', null), await begin('slack')]) {
      await updateWebhook(story.ctx, story.endpoint.id, { acknowledgeLinks: story.ctx.appUrl === null });
      await story.open();
      await story.send();
      expect(story.sent()).toHaveLength(1);
      expect(story.sent()[0]?.body.toLowerCase()).not.toContain('acknowledge');
    }
  });
});
