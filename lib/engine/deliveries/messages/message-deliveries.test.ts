import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createEvent } from '@/lib/domain/webhooks/formats/sample-events';
import { replayDelivery } from '@/lib/domain/webhooks/resend-deliveries';
import { awaitAttempts } from '@/lib/engine/deliveries/drain-deliveries';
import {
  beginDeliveryStory,
  createTestDeliveryEngine,
  type DeliveryStory,
} from '@/lib/engine/testing/delivery-story';
import { SKIPPED } from '@/lib/schemas/webhooks/delivery';
import { type EventContent, eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { useTestDatabase } from '@/lib/testing/database';
import { startReceiver } from '@/lib/testing/receiver';
import { openCountingDatabase } from '@/lib/testing/statements';
import {
  CHATS,
  type ChatFormat,
  type ServedProduct,
  serveProduct,
} from '@/lib/webhook-formats/testing/products';

const APP_URL = 'https://pharos.example.com';
const database = useTestDatabase();
afterEach(() => database.db.delivery.deleteMany());

/** An event about one incident, which is a major one. */
function about(
  kind: 'incident.created' | 'incident.updated' | 'incident.resolved',
  fields: object = {},
): EventContent {
  const event = eventPayloadSchema.parse(createEvent(kind));
  return eventPayloadSchema.parse({ ...event, incident: { ...event.incident, ...fields } });
}

const CREATED = about('incident.created');
const IDENTIFIED = about('incident.updated');
const SAME = about('incident.updated', { status: 'investigating', message: 'We are still looking.' });
const WORSE = about('incident.updated', { severity: 'critical' });
const RESOLVED = about('incident.resolved');

/** What each product shows after an update, a rise of the severity and the end. */
const EXPECTED: Record<ChatFormat, { replies: { isLoud: boolean }[] }> = {
  slack: { replies: [{ isLoud: false }, { isLoud: false }, { isLoud: true }, { isLoud: true }] },
  telegram: { replies: [{ isLoud: false }, { isLoud: true }, { isLoud: true }] },
  // Messages of a webhook cannot be replies.
  discord: { replies: [{ isLoud: true }, { isLoud: true }] },
};

/** The products in which everything is tested. In the others, only what differs between them. */
const COMPLETE = sized<ChatFormat[]>(['slack'], { thorough: ['slack', 'telegram', 'discord'] });

/** Emits events one after the other, and sends each. */
async function send(story: DeliveryStory, ...events: EventContent[]) {
  for (const event of events) {
    await story.emit(event);
    await story.send();
  }
}

describe.each(Object.keys(EXPECTED) as ChatFormat[])('%s', (format) => {
  let product: ServedProduct;
  beforeAll(async () => {
    product = await serveProduct(format);
  });
  afterAll(() => product.close());
  afterEach(() => {
    product.messages.length = 0;
    product.exchanges.length = 0;
  });

  const begin = (url = product.endpoint) =>
    beginDeliveryStory(
      database.db,
      { url, requests: [] },
      { format, credentials: CHATS[format].product.credentials, appUrl: APP_URL, path: '' },
    );
  const first = () => product.messages[0];
  const replies = () => product.messages.slice(1);
  const remembered = (story: DeliveryStory) =>
    database.db.endpointMessage.findMany({ where: { endpointId: story.endpoint.id } });

  it('has one message from the beginning of an incident to its end, and what changed next to it', async () => {
    const story = await begin();
    await send(story, CREATED, SAME, IDENTIFIED, WORSE, RESOLVED);
    expect(first()).toMatchObject({ edits: 4, text: expect.stringContaining('Incident resolved') });
    expect(replies()).toMatchObject(EXPECTED[format].replies);
    const isThread = format !== 'discord';
    for (const { replyTo } of replies()) expect(replyTo).toBe(isThread ? first()?.id : null);
    for (const { reply } of product.exchanges) expect(reply.status).toBeLessThan(300);
    const deliveries = await database.db.delivery.findMany({ include: { attemptLog: true } });
    for (const { status, attemptLog } of deliveries)
      expect([status, attemptLog[0]?.error]).toEqual(['delivered', null]);
    expect(await remembered(story)).toMatchObject([
      { leaseId: null, leaseUntil: null, notifiedStatus: 'resolved major' },
    ]);
  });

  if (!COMPLETE.includes(format)) return;

  it('sends only what is new: an update in the same status edits the message', async () => {
    const story = await begin();
    await send(story, CREATED, SAME);
    expect(first()?.edits).toBe(1);
    expect(replies()).toHaveLength(format === 'slack' ? 1 : 0);
  });

  it('shows an event once although it is sent again', async () => {
    const story = await begin();
    await send(story, CREATED);
    await replayDelivery(story.ctx, (await story.delivery()).id);
    await story.send();
    expect(product.messages.filter(({ replyTo }) => replyTo === null)).toHaveLength(1);
  });

  it('is not overwritten by an older event that is retried late', async () => {
    const late = await startReceiver();
    late.respondWith(503);
    const story = await begin(late.url);
    await send(story, CREATED);
    await updateWebhook(story.ctx, story.endpoint.id, {
      url: product.endpoint,
      credentials: CHATS[format].product.credentials,
    });
    await send(story, RESOLVED);
    story.clock.advance(60_000);
    await story.send();
    await late.close();
    expect(product.messages).toMatchObject([
      { text: expect.stringContaining('Incident resolved'), edits: 0 },
    ]);
    const [older] = await database.db.delivery.findMany({
      orderBy: { number: 'asc' },
      include: { attemptLog: { orderBy: { number: 'asc' } } },
    });
    expect(older).toMatchObject({ status: 'delivered', reason: null });
    expect(older?.attemptLog.map(({ error, url }) => [error, url === null])).toEqual([
      ['responded with 503, expected 2xx', false],
      [SKIPPED.newer, true],
    ]);
    expect(await story.webhook()).toMatchObject({ status: 'active' });
  });

  it('posts a message that was deleted in the product again', async () => {
    const story = await begin();
    await send(story, CREATED);
    product.messages.length = 0;
    await send(story, IDENTIFIED, RESOLVED);
    expect(first()).toMatchObject({ edits: 1, text: expect.stringContaining('Incident resolved') });
    expect(await story.delivery()).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('posts where the endpoint goes from now on, and keeps a message if only its events change', async () => {
    const story = await begin();
    await send(story, CREATED);
    await updateWebhook(story.ctx, story.endpoint.id, { events: ['incident.updated'] });
    expect(await remembered(story)).toHaveLength(1);
    const other = await serveProduct(format);
    const { credentials } = CHATS[format].product;
    await updateWebhook(story.ctx, story.endpoint.id, { url: other.endpoint, credentials });
    expect(await remembered(story)).toEqual([]);
    await send(story, IDENTIFIED);
    expect(other.messages).toMatchObject([{ replyTo: null, edits: 0 }]);
    await other.close();
  });

  it('that does not name its message gets no update in the same status, and a message for each other', async () => {
    const receiver = await startReceiver();
    receiver.respondWith(200, format === 'slack' ? '{"ok": true}' : '{}');
    const story = await begin(receiver.url);
    await send(story, CREATED, SAME);
    expect(receiver.requests).toHaveLength(1);
    expect(await story.delivery()).toMatchObject({
      status: 'delivered',
      attemptLog: [{ error: SKIPPED.uneditable }],
    });
    await send(story, RESOLVED);
    await receiver.close();
    expect(receiver.requests).toHaveLength(2);
    expect(await remembered(story)).toMatchObject([{ remembered: null }]);
  });

  it('that names a message strangely is not believed', async () => {
    const receiver = await startReceiver();
    const id = '../../x?y=1';
    receiver.respondWith(
      200,
      JSON.stringify({ ok: true, id, ts: id, channel: id, result: { message_id: id } }),
    );
    const story = await begin(receiver.url);
    await send(story, CREATED, RESOLVED);
    await receiver.close();
    expect(await remembered(story)).toMatchObject([{ remembered: null }]);
    for (const { path, body } of receiver.requests) expect(path + body).not.toContain(id);
  });

  it('keeps no credentials', async () => {
    const story = await begin();
    await send(story, CREATED, RESOLVED);
    const rows = await database.db.deliveryAttempt.findMany();
    const kept = JSON.stringify([rows, await remembered(story)], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const secret of CHATS[format].product.secrets) expect(kept).not.toContain(secret);
  });
});

describe('what Slack refuses', () => {
  it.each([
    [
      'channel_not_found',
      'Slack responded with channel_not_found: check the channel; invite the app to it if it is private',
    ],
    ['invalid_auth', 'Slack responded with invalid_auth: set the bot token again'],
    ['not_in_channel', 'Slack responded with not_in_channel: invite the app to the channel'],
    ['fatal_error', 'Slack responded with fatal_error'],
  ])('%s with 200 is a failure that says what to do', async (error, expected) => {
    const receiver = await startReceiver();
    receiver.respondWith(200, JSON.stringify({ ok: false, error }));
    const { credentials } = CHATS.slack.product;
    const story = await beginDeliveryStory(database.db, receiver, { format: 'slack', credentials });
    await story.emit(CREATED);
    await story.send();
    await receiver.close();
    expect(await story.delivery()).toMatchObject({
      status: 'pending',
      failures: 1,
      attemptLog: [{ error: expected }],
    });
    expect(await story.webhook()).toMatchObject({ status: 'failing' });
  });

  it('a page that is no API is not taken for success', async () => {
    const receiver = await startReceiver();
    const { credentials } = CHATS.slack.product;
    const story = await beginDeliveryStory(database.db, receiver, { format: 'slack', credentials });
    await story.emit(CREATED);
    await story.send();
    await receiver.close();
    expect((await story.delivery()).attemptLog).toMatchObject([
      { error: 'the response is not one of the Slack API; check the URL' },
    ]);
  });
});

describe('an incident', () => {
  it('is a thread in Google Chat, and one notification in ntfy', async () => {
    const incident = CREATED.incident?.id ?? '';
    const receiver = await startReceiver();
    const chat = await beginDeliveryStory(database.db, receiver, { format: 'googlechat', path: '/v1?key=k' });
    await send(chat, CREATED, SAME, RESOLVED);
    const query = `key=k&threadKey=${incident}&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD`;
    expect(receiver.requests.map(({ path }) => path)).toEqual([`/v1?${query}`, `/v1?${query}`]);
    const credentials = { topic: 'alerts' };
    const push = await beginDeliveryStory(database.db, receiver, {
      format: 'ntfy',
      credentials,
      path: '/ntfy',
    });
    await send(push, CREATED, SAME, RESOLVED);
    await receiver.close();
    const sequences = push.requests().map(({ body }) => JSON.parse(body).sequence_id);
    expect(sequences).toEqual([incident, incident]);
  });
});

describe('what it costs', () => {
  let counting: ReturnType<typeof openCountingDatabase>;
  beforeAll(() => {
    counting = openCountingDatabase(database.url);
  });
  afterAll(() => counting.db.$disconnect());

  it('nothing where messages cannot be edited', async () => {
    const receiver = await startReceiver();
    const countSending = async (format: 'standard' | 'teams' | 'discord') => {
      const story = await beginDeliveryStory(database.db, receiver, { format });
      await story.emit(CREATED);
      const engine = createTestDeliveryEngine({ ...story.ctx, db: counting.db });
      return counting.count(async () => {
        await engine.pump.start(story.clock.now());
        await awaitAttempts(engine);
      });
    };
    const standard = await countSending('standard');
    expect(counting.seen('endpoint_message')).toBe(0);
    expect(await countSending('teams')).toBe(standard);
    expect(counting.seen('endpoint_message')).toBe(0);
    expect(await countSending('discord')).toBe(standard + 1);
    await receiver.close();
  });
});
