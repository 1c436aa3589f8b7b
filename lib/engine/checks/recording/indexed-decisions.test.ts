import { expect, it } from 'vitest';
import { beginStory, FAILED, OK, recordAsOwner } from '@/lib/engine/testing/story';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { useTestDatabase } from '@/lib/testing/database';
import { CUSTOM_PLANS, countReads, useOneConnection } from '@/lib/testing/row-reads';

const database = useTestDatabase();
const connection = useOneConnection(database);
const MONITORS = 40;
/** Of a table or an index, for each monitor: its rows in several statements, and checks of foreign keys. */
const MAX_READS = 15;

it('decisions read no whole table or index in an outage, although their plans are as old as an installation without incidents', async () => {
  const story = await beginStory(connection.db);
  const addMonitor = () => story.addMonitor({ alertThreshold: 1 });
  await connection.db.$executeRaw`VACUUM (ANALYZE)`;
  for (let round = 0; round <= CUSTOM_PLANS; round++) {
    await addMonitor();
    await story.check(OK);
  }
  for (let n = CUSTOM_PLANS + 1; n < 2 * MONITORS; n++) await addMonitor();
  await story.check(OK);
  story.clock.advance(90_000);
  const startedAt = story.clock.now();
  const failed = (await story.take()).map((check) => ({ check, startedAt, result: FAILED }));
  expect(await recordAsOwner(story.services, failed.slice(0, MONITORS))).toBe(MONITORS);
  const read = await countReads(connection.db, { units: MONITORS, atMost: MAX_READS }, () =>
    recordAsOwner(story.services, failed.slice(MONITORS)),
  );
  expect(read).toEqual({});
  expect(await connection.db.incident.count()).toBe(2 * MONITORS);
});

it('decisions do not read the incidents of others that were resolved while a backup reads', async () => {
  const story = await beginStory(connection.db);
  for (let n = 0; n < MONITORS; n++) await story.addMonitor({ alertThreshold: 1, recoveryThreshold: 1 });
  const reader = await connectTo(database.url);
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM monitor');
  for (const result of [OK, FAILED, OK]) await story.check(result);
  story.clock.advance(90_000);
  const startedAt = story.clock.now();
  const failed = (await story.take()).map((check) => ({ check, startedAt, result: FAILED }));
  const read = await countReads(connection.db, { units: MONITORS, atMost: MAX_READS }, () =>
    recordAsOwner(story.services, failed),
  );
  expect(read).toEqual({});
  await reader.query('ROLLBACK');
});
