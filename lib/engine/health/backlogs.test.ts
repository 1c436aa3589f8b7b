import { describe, expect, it } from 'vitest';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { incidentCreated } from '@/lib/engine/testing/delivery-story';
import { emitEvents } from '@/lib/notify/emit-events';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { atSecond, START, useHealthStory } from './testing/health-story';

const { begin } = useHealthStory();
const OK = { status: 'ok', unhealthy: [] };

describe('deliveries', () => {
  async function beginOwing() {
    const story = await begin();
    const worker = await story.addWorker();
    const { ctx, db, services, organizationId, clock } = story;
    const addEndpoint = () => createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
    const { id: endpointId } = await addEndpoint();
    const emit = () =>
      db.$transaction((tx) =>
        emitEvents(tx, services, [
          { organizationId, occurredAt: clock.now(), payload: incidentCreated(clock.now()) },
        ]),
      );
    const pass = async (seconds: number) => {
      clock.advance(seconds * 1000);
      await worker.beat();
    };
    return { ...story, addEndpoint, endpointId, emit, pass };
  }

  it('are down once one has been due for 60 s without an attempt', async () => {
    const { db, emit, pass, read } = await beginOwing();
    await emit();
    await pass(60);
    expect(await read()).toEqual(OK);
    await pass(1);
    expect(await read()).toEqual({ status: 'down', unhealthy: [['deliveries', 'down', atSecond(60)]] });
    await db.delivery.updateMany({ data: { nextAttemptAt: atSecond(120) } });
    expect(await read()).toEqual(OK);
  });

  it('are ok while they wait for a slow receiver, even between its attempts', async () => {
    const { addEndpoint, clock, db, emit, endpointId, pass, read } = await beginOwing();
    const { id: other } = await addEndpoint();
    await emit();
    for (let seconds = 0; seconds < 180; seconds += 15) {
      await pass(15);
      const isBetween = seconds % 30 === 0;
      await db.delivery.updateMany({
        where: { endpointId },
        data: { leaseUntil: isBetween ? null : new Date(clock.now().getTime() + 40_000) },
      });
      expect(await read(), `${seconds} s, the other endpoint waits: ${other}`).toEqual(OK);
    }
  });

  it('are down when a receiver was slow and the attempts have stopped', async () => {
    const { db, emit, pass, read } = await beginOwing();
    await emit();
    await pass(20);
    await db.delivery.updateMany({ data: { leaseUntil: atSecond(40) } });
    await emit();
    await pass(15);
    expect(await read()).toEqual(OK);
    await pass(61);
    expect((await read()).unhealthy).toEqual([['deliveries', 'down', atSecond(95)]]);
  });

  it('the same applies to mail', async () => {
    const { db, pass, read } = await beginOwing();
    await db.mail.create({
      data: {
        id: 'mail_test',
        kind: 'test',
        recipient: 'ops@example.com',
        contentSealed: new Uint8Array(1),
        nextAttemptAt: START,
        createdAt: START,
      },
    });
    await pass(61);
    expect((await read()).unhealthy).toEqual([['mail', 'down', atSecond(60)]]);
    await db.mail.updateMany({ data: { leaseUntil: atSecond(200) } });
    expect(await read()).toEqual(OK);
  });
});
