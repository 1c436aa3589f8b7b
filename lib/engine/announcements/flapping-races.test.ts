import { expect, it } from 'vitest';
import { joinTransaction } from '@/lib/platform/db/client';
import { useTestDatabase } from '@/lib/testing/database';
import { holdBeforeCommit } from '@/lib/testing/races';
import { endSteady } from './end-flapping';
import { beginFlapping } from './testing/flapping-story';

const database = useTestDatabase();
const MINUTE = 60_000;

/** Shops that have been steady for ten minutes, and that nobody was notified about yet. */
async function beginSteady(names = ['Shop']) {
  const story = await beginFlapping(database.db, { names });
  await story.flap(6);
  story.clock.advance(10 * MINUTE);
  const ends = async () => (await story.read('chat')).filter((text) => text.includes('is steady again'));
  return { ...story, ends };
}

it('several workers notify people once of how it ended', async () => {
  const names = Array.from({ length: 5 }, (_, index) => `Shop ${index}`);
  const { services, ends, noticed } = await beginSteady(names);
  await Promise.all([endSteady(services), endSteady(services), endSteady(services)]);
  await endSteady(services);
  expect(await ends()).toHaveLength(5);
  expect((await noticed()).filter((notice) => notice.endsWith('monitor.steady'))).toHaveLength(5);
});

it('nothing is lost or sent twice if the worker crashes before it commits', async () => {
  const { services, ends } = await beginSteady();
  const crashing = database.db.$transaction(async (tx) => {
    await endSteady({ ...services, db: joinTransaction(tx) });
    throw new Error('crashed');
  });
  await expect(crashing).rejects.toThrow('crashed');
  expect(await ends()).toEqual([]);
  await endSteady(services);
  await endSteady(services);
  expect(await ends()).toHaveLength(1);
});

it('a change that is being recorded is not waited for, and continues the flapping', async () => {
  const { services, ends, check, clock, ...story } = await beginSteady(['Shop', 'Blog']);
  const held = await holdBeforeCommit(
    database.db,
    (db) => db.$executeRaw`SELECT FROM monitor_state WHERE monitor_id = ${story.idOf('Shop')} FOR UPDATE`,
  );
  await endSteady(services);
  expect(await ends()).toHaveLength(1);
  await held.release();
  await check(['Shop'], { afterMs: MINUTE, only: ['Shop'] });
  await endSteady(services);
  expect(await ends()).toHaveLength(1);
  const shop = await database.db.flapping.findFirst({ where: { monitorId: story.idOf('Shop') } });
  expect(shop).toMatchObject({ endedAt: null, status: 'down' });
});

it('one that cannot be ended does not hold up others, and is looked at again a minute later', async () => {
  const { services, ends, clock, ...story } = await beginSteady(['Shop', 'Blog']);
  const shop = { monitorId: story.idOf('Shop') };
  const [row] = await database.db.flapping.findMany({ where: shop });
  const events = await database.db.outboxEvent.findMany({ where: { id: { in: row?.eventIds ?? [] } } });
  for (const { id } of events) {
    await database.db.outboxEvent.update({ where: { id }, data: { payload: '{}' } });
  }
  await endSteady(services);
  expect(await ends()).toHaveLength(1);
  const [postponed] = await database.db.flapping.findMany({ where: shop });
  expect(postponed?.lookAt).toEqual(new Date(clock.now().getTime() + MINUTE));
});
