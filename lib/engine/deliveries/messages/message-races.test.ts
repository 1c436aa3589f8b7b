import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RacePoint } from '@/lib/domain/context/race-points';
import { deleteWebhook, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createEvent } from '@/lib/domain/webhooks/formats/sample-events';
import { awaitAttempts } from '@/lib/engine/deliveries/drain-deliveries';
import {
  beginDeliveryStory,
  createTestDeliveryEngine,
  type DeliveryStory,
} from '@/lib/engine/testing/delivery-story';
import { eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { useTestDatabase } from '@/lib/testing/database';
import { holdAt } from '@/lib/testing/races';
import { CHATS, type ServedProduct, serveProduct } from '@/lib/webhook-formats/testing/products';

const database = useTestDatabase();
let product: ServedProduct;
beforeAll(async () => {
  product = await serveProduct('telegram');
});
afterAll(() => product.close());
beforeEach(() => {
  product.messages.length = 0;
  product.exchanges.length = 0;
});
// A worker would claim what another test left.
afterEach(async () => {
  await database.db.delivery.deleteMany();
  await database.db.endpointMessage.deleteMany();
});

const CREATED = eventPayloadSchema.parse(createEvent('incident.created'));
const RESOLVED = eventPayloadSchema.parse(createEvent('incident.resolved'));

const begin = () =>
  beginDeliveryStory(
    database.db,
    { url: product.endpoint, requests: [] },
    { format: 'telegram', credentials: CHATS.telegram.product.credentials, path: '' },
  );

/** Another worker makes the attempts that are due now, and is held at `point` during the first. */
function sendHeldAt(point: RacePoint, { ctx, clock }: DeliveryStory) {
  return holdAt(point, async (races) => {
    const worker = createTestDeliveryEngine({ ...ctx, races });
    await worker.pump.start(clock.now());
    await awaitAttempts(worker);
  });
}

/** What is put off is due again. */
async function sendPutOff(story: DeliveryStory) {
  story.clock.advance(2000);
  await story.send();
}

const posts = () => product.messages.filter(({ replyTo }) => replyTo === null);
const deliveriesOf = ({ organizationId }: DeliveryStory) =>
  database.db.delivery.findMany({
    where: { organizationId },
    orderBy: { number: 'asc' },
    include: { attemptLog: true },
  });

describe('two deliveries of one message', () => {
  it('never post it twice: the second is put off, without counting as an attempt', async () => {
    const story = await begin();
    await story.emit(CREATED);
    const first = await sendHeldAt('attempt finished', story);
    await story.emit(RESOLVED);
    await story.send();
    const [, second] = await deliveriesOf(story);
    expect(second).toMatchObject({
      status: 'pending',
      attempts: 0,
      failures: 0,
      leaseUntil: null,
      attemptLog: [],
    });
    expect(second?.nextAttemptAt?.getTime()).toBeGreaterThan(story.clock.now().getTime());
    await first.release();
    await sendPutOff(story);
    expect(posts()).toMatchObject([{ edits: 1, text: expect.stringContaining('Incident resolved') }]);
    expect(await deliveriesOf(story)).toMatchObject([
      { status: 'delivered' },
      { status: 'delivered', attempts: 1 },
    ]);
  });

  it('that are due at once become one message, whichever is first', async () => {
    const story = await begin();
    await story.emit(CREATED);
    await story.emit(RESOLVED);
    await story.send();
    await sendPutOff(story);
    expect(posts()).toMatchObject([{ text: expect.stringContaining('Incident resolved') }]);
    expect(await deliveriesOf(story)).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
  });

  it('the newer of which is sent while the older is held leave the newer one', async () => {
    const story = await begin();
    await story.emit(CREATED);
    const older = await sendHeldAt('delivery claimed', story);
    await story.emit(RESOLVED);
    await story.send();
    await older.release();
    expect(posts()).toMatchObject([{ edits: 0, text: expect.stringContaining('Incident resolved') }]);
    expect(await deliveriesOf(story)).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
  });
});

describe('a worker that crashes', () => {
  it('before it sends anything leaves no message behind', async () => {
    const story = await begin();
    await story.emit(CREATED);
    const crashed = await sendHeldAt('delivery claimed', story);
    story.clock.advance(40_001);
    await story.send();
    expect(posts()).toHaveLength(1);
    await crashed.release();
    expect(posts(), 'its own attempt comes after the other').toHaveLength(1);
  });

  it('between the response and its record doubles the message at worst, and what is recorded stays', async () => {
    const story = await begin();
    await story.emit(CREATED);
    const crashed = await sendHeldAt('attempt finished', story);
    story.clock.advance(41_000);
    await story.send();
    expect(posts()).toHaveLength(2);
    const known = await database.db.endpointMessage.findMany();
    await crashed.release();
    expect(await database.db.endpointMessage.findMany()).toEqual(known);
    await story.emit(RESOLVED);
    await story.send();
    expect(posts().map(({ edits }) => edits)).toEqual([0, 1]);
  });
});

describe('an endpoint', () => {
  it('that goes elsewhere during an attempt is not remembered to have the message there', async () => {
    const story = await begin();
    await story.emit(CREATED);
    const sending = await sendHeldAt('attempt finished', story);
    const other = await serveProduct('telegram');
    await updateWebhook(story.ctx, story.endpoint.id, {
      url: other.endpoint,
      credentials: CHATS.telegram.product.credentials,
    });
    await sending.release();
    await story.emit(RESOLVED);
    await story.send();
    await other.close();
    expect(other.messages).toMatchObject([{ replyTo: null, edits: 0 }]);
  });

  it('that is deleted during an attempt leaves no message, and its delivery ends', async () => {
    const story = await begin();
    await story.emit(CREATED);
    const sending = await sendHeldAt('delivery claimed', story);
    await deleteWebhook(story.ctx, story.endpoint.id);
    await sending.release();
    await sendPutOff(story);
    expect(await database.db.endpointMessage.count()).toBe(0);
    expect(await deliveriesOf(story)).toMatchObject([{ status: 'failed', reason: 'endpoint_deleted' }]);
  });
});
