import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { awaitAttempts } from '@/lib/engine/deliveries/drain-deliveries';
import { createMailEngine, startDueMail } from '@/lib/engine/mail/drain-mail';
import { beginDeliveryStory, createTestDeliveryEngine } from '@/lib/engine/testing/delivery-story';
import { beginMailStory } from '@/lib/engine/testing/mail-story';
import { useTestDatabase } from '@/lib/testing/database';
import { loseResponse } from '@/lib/testing/lose-response';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';

const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

it('a delivery whose claim response was lost is sent as its first attempt as soon as the database is back', async () => {
  const story = await beginDeliveryStory(database.db, receiver);
  await story.emit();
  const engine = createTestDeliveryEngine(loseResponse(story.ctx, /UPDATE delivery/));
  await expect(engine.pump.start(story.clock.now())).rejects.toThrow('Connection terminated');
  await engine.pump.start(story.clock.now());
  await awaitAttempts(engine);
  expect(story.requests().map(({ headers }) => headers['x-service-attempt'])).toEqual(['1']);
});

it('mail whose claim response was lost is attempted as soon as the database is back', async () => {
  const story = beginMailStory(database.db, 'smtp://127.0.0.1:9');
  await story.queue('ada@example.com');
  const engine = createMailEngine({
    workerId: 'wrk_test',
    services: loseResponse(story.services, /UPDATE mail/),
    serviceName: 'Pharos',
    smtp: () => ({ url: 'smtp://127.0.0.1:9', from: { name: 'Pharos', address: 'pharos@example.com' } }),
    notices: { groupSeconds: 60, appUrl: null },
    log: createLogger('silent', 'test'),
  });
  await expect(startDueMail(engine)).rejects.toThrow('Connection terminated');
  expect(await startDueMail(engine)).toBe(1);
  await engine.slots.idle();
  engine.transport.close();
  expect(await story.mailTo('ada@example.com')).toMatchObject({ attempts: 1, failures: 1 });
});
