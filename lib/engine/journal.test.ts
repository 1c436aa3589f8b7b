import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startJournal } from '@/lib/core/journal/journal';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { joinTransaction } from '@/lib/platform/db/client';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { useTestDatabase } from '@/lib/testing/database';
import { keepLog } from '@/lib/testing/kept-log';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { beginDeliveryStory } from './testing/delivery-story';
import { beginStory, FAILED, OK } from './testing/story';

const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

function keepJournal() {
  const { log, lines } = keepLog();
  onTestFinished(startJournal(log));
  return lines;
}

it('an outage can be followed in the log: each change of status and of the incident, with why', async () => {
  const story = await beginStory(database.db);
  const monitor = await story.addMonitor({ alertThreshold: 1, name: 'A secret name' });
  const lines = keepJournal();
  await story.check(OK);
  await story.check(OK);
  await story.check(FAILED);
  await story.check(FAILED);
  await story.check(OK);
  const about = { monitor: monitor.id, organization: story.ctx.organizationId };
  const failing = {
    failing: 1,
    voting: 1,
    error: 'responded with 503, expected 200',
    region: expect.any(String),
  };
  expect(lines()).toMatchObject([
    { msg: 'status changed', level: 30, ...about, from: 'pending', to: 'operational', error: null },
    { msg: 'status changed', ...about, from: 'operational', to: 'down', ...failing },
    { msg: 'incident opened', ...about, automatic: true, status: 'investigating', severity: 'critical' },
    { msg: 'status changed', ...about, from: 'down', to: 'operational', failing: 0, error: null },
    { msg: 'incident resolved', ...about, status: 'resolved' },
  ]);
  expect(JSON.stringify(lines())).not.toContain('A secret name');
});

it('nothing is logged that is rolled back', async () => {
  const story = await beginStory(database.db);
  const lines = keepJournal();
  const input = createIncidentSchema.parse({ title: 'Shop is slow', severity: 'minor' });
  const rolledBack = story.ctx.db.$transaction(async (tx) => {
    await createIncident({ ...story.ctx, db: joinTransaction(tx) }, input);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  expect(lines()).toEqual([]);
  const { id } = await createIncident(story.ctx, input);
  expect(lines()).toMatchObject([{ msg: 'incident opened', incident: id, automatic: false, monitor: null }]);
});

it('a delivery has a line for its first failure and one for its end, and none if the first attempt is delivered', async () => {
  const story = await beginDeliveryStory(database.db, receiver);
  const lines = keepJournal();
  receiver.respondWith(204);
  await story.emit();
  await story.send();
  expect(lines()).toEqual([]);
  receiver.respondWith(500);
  await story.emit();
  await story.send();
  expect(lines()).toMatchObject([
    {
      msg: 'delivery failed; retrying',
      failures: 1,
      statusCode: 500,
      error: 'responded with 500, expected 2xx',
    },
  ]);
  receiver.respondWith(204);
  await story.sendToTheEnd();
  const { delivery } = lines()[0] ?? {};
  expect(lines()[1]).toMatchObject({ msg: 'delivered after failures', delivery, failures: 1 });
  receiver.respondWith(500);
  await story.emit();
  await story.sendToTheEnd();
  expect(lines().slice(2)).toMatchObject([
    { msg: 'delivery failed; retrying', failures: 1 },
    { msg: 'delivery failed', reason: 'exhausted', failures: 6, nextAttemptAt: null },
  ]);
});
