import { expect, it } from 'vitest';
import { joinTransaction } from '@/lib/platform/db/client';
import { useTestDatabase } from '@/lib/testing/database';
import { holdBeforeCommit } from '@/lib/testing/races';
import { decideHeld } from './decide-held';
import { beginDependencies } from './testing/dependency-story';

const database = useTestDatabase();
const SECOND = 1000;

/** A shop that is down and held, and whose gateway has not responded in time. */
async function beginDue(names = ['Shop']) {
  const story = await beginDependencies(database.db, { names });
  await story.check([]);
  await story.check(names, { only: names });
  story.clock.advance(10 * SECOND);
  return story;
}

it('two workers that decide at the same time announce everything once', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `Shop ${index}`);
  const story = await beginDue(names);
  const { services } = story;
  await Promise.all([decideHeld(services), decideHeld(services), decideHeld(services)]);
  await decideHeld(services);
  const expected = names.map((name) => `${name}: incident.created`).toSorted();
  expect((await story.delivered('chat')).toSorted()).toEqual(expected);
  expect(await story.noticed()).toHaveLength(40);
});

it('nothing is lost or sent twice if the worker crashes before it commits', async () => {
  const story = await beginDue();
  const { services } = story;
  const crashing = database.db.$transaction(async (tx) => {
    await decideHeld({ ...services, db: joinTransaction(tx) });
    throw new Error('crashed');
  });
  await expect(crashing).rejects.toThrow('crashed');
  expect(await story.delivered('chat')).toEqual([]);
  await decideHeld(services);
  await decideHeld(services);
  expect(await story.delivered('chat')).toEqual(['Shop: incident.created']);
});

it('a decision does not wait for a monitor whose result is being recorded, and is made after it', async () => {
  const story = await beginDue(['Shop', 'Blog']);
  const held = await holdBeforeCommit(
    database.db,
    (db) => db.$executeRaw`SELECT FROM monitor_state WHERE monitor_id = ${story.idOf('Shop')} FOR UPDATE`,
  );
  await story.decide();
  expect(await story.delivered('chat')).toEqual(['Blog: incident.created']);
  await held.release();
  await story.decide();
  expect(await story.delivered('chat')).toEqual(['Blog: incident.created', 'Shop: incident.created']);
});

it('a recovery that is recorded while the outage is announced follows it', async () => {
  const story = await beginDue();
  const deciding = await holdBeforeCommit(database.db, (db) => decideHeld({ ...story.services, db }));
  const recovering = story.check([], { only: ['Shop'] });
  await deciding.release();
  await recovering;
  await story.decide();
  expect(await story.delivered('chat')).toEqual(['Shop: incident.created', 'Shop: incident.resolved']);
  expect(await story.noticed()).toEqual(['Shop: monitor.down', 'Shop: monitor.up']);
});
