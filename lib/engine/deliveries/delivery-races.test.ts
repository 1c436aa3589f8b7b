import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RacePoint } from '@/lib/domain/context/race-points';
import { deleteWebhook, rotateSecret, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { replayDelivery } from '@/lib/domain/webhooks/resend-deliveries';
import {
  beginDeliveryStory,
  claimDue,
  createTestDeliveryEngine,
  type DeliveryStory,
} from '@/lib/engine/testing/delivery-story';
import { useTestDatabase } from '@/lib/testing/database';
import { holdAt, holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { awaitAttempts } from './drain-deliveries';

const MINUTE = 60_000;
const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
// A worker would claim what another test left.
afterEach(() => database.db.delivery.deleteMany());

/** An endpoint that responds with `status`, and one delivery that is due. */
async function begin(status: number) {
  receiver.respondWith(status);
  const story = await beginDeliveryStory(database.db, receiver);
  await story.emit();
  return story;
}

/** Another worker makes the attempts that are due now, and is held at `point` during the first. */
function sendHeldAt(point: RacePoint, { ctx, clock }: DeliveryStory) {
  return holdAt(point, async (races) => {
    const worker = createTestDeliveryEngine({ ...ctx, races });
    await worker.pump.start(clock.now());
    await awaitAttempts(worker);
  });
}

/** The attempts of the newest delivery. */
async function attemptsOf(story: DeliveryStory) {
  const { attemptLog } = await story.delivery();
  return attemptLog.map(({ number, manual, statusCode }) => ({ number, manual, statusCode }));
}

/** What ends an endpoint, and how its deliveries end with it. */
const ENDINGS = [
  {
    reason: 'endpoint_deleted',
    end: async ({ ctx, endpoint }: DeliveryStory, db = database.db): Promise<void> => {
      await deleteWebhook({ ...ctx, db }, endpoint.id);
    },
  },
  {
    reason: 'endpoint_disabled',
    end: async ({ ctx, endpoint }: DeliveryStory, db = database.db): Promise<void> => {
      await updateWebhook({ ...ctx, db }, endpoint.id, { enabled: false });
    },
  },
];

describe.each(ENDINGS)('a delivery in progress ends as $reason', ({ reason, end }) => {
  /** The attempt in progress failed; the next records the end, and sends nothing. */
  const expectEnd = async (story: DeliveryStory) => {
    await story.send();
    expect(await story.delivery()).toMatchObject({
      status: 'failed',
      reason,
      nextAttemptAt: null,
      leaseUntil: null,
    });
    expect(await attemptsOf(story)).toEqual([
      { number: 1, manual: false, statusCode: 500 },
      { number: 2, manual: false, statusCode: null },
    ]);
    expect(story.requests()).toHaveLength(1);
  };

  it.each(['delivery claimed', 'attempt finished'] as const)(
    'if that happens after “%s” and the attempt fails',
    async (point) => {
      const story = await begin(500);
      const sending = await sendHeldAt(point, story);
      await end(story);
      await sending.release();
      await expectEnd(story);
    },
  );

  it('if the failure is recorded while that is being committed', async () => {
    const story = await begin(500);
    const sending = await sendHeldAt('attempt finished', story);
    const ending = await holdBeforeCommit(database.db, (db) => end(story, db));
    const sent = sending.release();
    await untilBlocked(database.db);
    await ending.release();
    await sent;
    await expectEnd(story);
  });

  it('unless the attempt succeeds', async () => {
    const story = await begin(200);
    const sending = await sendHeldAt('delivery claimed', story);
    await end(story);
    await sending.release();
    await story.send();
    expect(await story.delivery()).toMatchObject({ status: 'delivered', reason: null, attempts: 1 });
  });

  it('also if what is in progress is a replay, whose failure does not keep the schedule', async () => {
    const story = await begin(500);
    await story.send();
    await replayDelivery(story.ctx, (await story.delivery()).id);
    const replaying = await sendHeldAt('delivery claimed', story);
    await end(story);
    await replaying.release();
    await story.send();
    expect(await story.delivery()).toMatchObject({ status: 'failed', reason, nextAttemptAt: null });
    expect(story.requests()).toHaveLength(2);
  });
});

describe('a replay', () => {
  it('that is requested while a retry is in progress follows it with its own number, and its failure changes nothing', async () => {
    const story = await begin(500);
    await story.send();
    story.clock.advance(MINUTE);
    const retrying = await sendHeldAt('delivery claimed', story);
    const { id } = await story.delivery();
    await replayDelivery(story.ctx, id);
    await story.send();
    expect(story.requests(), 'not at the same time').toHaveLength(1);
    await retrying.release();
    const { nextAttemptAt } = await story.delivery();
    expect(nextAttemptAt).toEqual(new Date(story.clock.now().getTime() + 5 * MINUTE));
    const health = await story.webhook();

    await story.send();
    expect(await story.delivery()).toMatchObject({ status: 'pending', failures: 2, nextAttemptAt });
    expect(await story.webhook()).toEqual(health);
    story.clock.advance(5 * MINUTE);
    await story.send();
    expect(await story.delivery()).toMatchObject({ status: 'pending', failures: 3 });
    const failed = { manual: false, statusCode: 500 };
    expect(await attemptsOf(story)).toEqual([
      { ...failed, number: 1 },
      { ...failed, number: 2 },
      { ...failed, number: 3, manual: true },
      { ...failed, number: 4 },
    ]);
    expect(story.requests().map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4']);
  });

  it.each([
    { status: 200, next: { status: 'delivered', failures: 1, attempts: 2 } },
    { status: 500, next: { status: 'pending', failures: 2, attempts: 3 } },
  ])(
    'that is in progress when a retry falls due keeps it waiting, and responds with $status',
    async ({ status, next }) => {
      const story = await begin(500);
      await story.send();
      await replayDelivery(story.ctx, (await story.delivery()).id);
      const replaying = await sendHeldAt('delivery claimed', story);
      story.clock.advance(MINUTE / 2);
      await database.db.delivery.updateMany({ data: { nextAttemptAt: story.clock.now() } });
      await story.send();
      expect(story.requests()).toHaveLength(1);
      receiver.respondWith(status);
      await replaying.release();
      await story.send();
      expect(await story.delivery()).toMatchObject(next);
    },
  );
});

describe('a rotation of the secret', () => {
  /** Whether the newest request is signed with `secret`. */
  const verifies = (story: DeliveryStory, secret: string) => {
    const request = story.requests().at(-1);
    const expected = createHmac('sha256', secret)
      .update(request?.body ?? '')
      .digest('hex');
    return request?.headers['x-service-signature'] === `sha256=${expected}`;
  };

  it('during an attempt leaves it the secret of its claim; its retry is signed with the new one', async () => {
    const story = await begin(401);
    const { id, secret: old } = story.endpoint;
    const sending = await sendHeldAt('delivery claimed', story);
    const { secret } = await rotateSecret(story.ctx, id, { immediate: true });
    await sending.release();
    expect(verifies(story, old)).toBe(true);
    story.clock.advance(MINUTE);
    await story.send();
    expect(verifies(story, secret)).toBe(true);
  });

  it('delays no attempt until it is committed, and another rotation waits for it', async () => {
    const story = await begin(200);
    const { id, secret: old } = story.endpoint;
    const rotate = (db = database.db) => rotateSecret({ ...story.ctx, db }, id, { immediate: true });
    const first = await holdBeforeCommit(database.db, rotate);
    await story.send();
    expect(verifies(story, old)).toBe(true);
    const second = rotate();
    await untilBlocked(database.db);
    await first.release();
    const { secret } = await second;
    await story.emit();
    await story.send();
    expect(verifies(story, secret)).toBe(true);
  });
});

describe('two workers', () => {
  it('that find the same deliveries send each once', async () => {
    const story = await begin(200);
    await story.emit();
    const slower = await sendHeldAt('deliveries found', story);
    await story.send();
    await slower.release();
    expect(story.requests()).toHaveLength(2);
    expect(new Set(story.requests().map(({ headers }) => headers['x-service-delivery-id'])).size).toBe(2);
    expect(await attemptsOf(story)).toEqual([{ number: 1, manual: false, statusCode: 200 }]);
  });

  it('that claim at the same time do not wait for each other, and never claim the same', async () => {
    const story = await begin(200);
    const first = await holdBeforeCommit(database.db, (db) => claimDue({ ...story.ctx, db }, 'wrk_a'));
    await story.emit();
    const second = await claimDue(story.ctx, 'wrk_b');
    const ids = [...(await first.release()), ...second].map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
    expect(second).toHaveLength(1);
  });

  it('one of which lost its lease: its late failure changes nothing that the other recorded', async () => {
    const story = await begin(500);
    const late = await sendHeldAt('attempt finished', story);
    story.clock.advance(40_001);
    receiver.respondWith(200);
    await story.send();
    const { attemptLog, ...delivered } = await story.delivery();
    expect(delivered).toMatchObject({ status: 'delivered', attempts: 2, failures: 0 });
    await late.release();
    const { attemptLog: attempts, ...after } = await story.delivery();
    expect(after).toEqual(delivered);
    expect(attempts).toMatchObject([
      { number: 1, statusCode: 500 },
      { number: 2, statusCode: 200 },
    ]);
  });
});
