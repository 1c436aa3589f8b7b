import { expect, it } from 'vitest';
import { copyMonitor, storeChecks } from '@/lib/domain/monitors/testing/history';
import { beginStory, OK } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { overdueVotesQuery } from './tick-monitors';

const database = useTestDatabase();

it('overdue votes are found by the index of one region, regardless of the others', async () => {
  const story = await beginStory(database.db);
  const { addMonitor, clock } = story;
  const shop = await addMonitor({ name: 'Shop', regions: ['us-east'] });
  await addMonitor({ name: 'Mail', regions: ['eu-west'] });
  await story.check(OK, { region: 'eu-west', afterMs: 0 });
  const copies = await copyMonitor(database.db, shop.id, 3000);
  await database.db.$executeRaw`
    INSERT INTO probe_schedule (monitor_id, region, slot, phase, next_check_at)
    SELECT id, 'us-east', 0, 0, ${clock.now()} FROM unnest(${copies}::text[]) AS id`;
  const since = new Date(clock.now().getTime() - 60_000);
  await storeChecks(database.db, copies, { since, now: clock.now(), everySeconds: 60, regions: 1 });
  await database.db.$executeRawUnsafe('ANALYZE');
  const { steps, pages } = await explain(database.db, overdueVotesQuery(['eu-west'], clock.now()));
  const read = steps.filter(({ relation, loops }) => loops > 0 && relation !== 'region_presence');
  expect(read.filter(({ type }) => type === 'Seq Scan')).toEqual([]);
  expect(read.map(({ relation }) => relation)).toContain('check_result_20260301');
  expect(pages).toBeLessThan(40);
});
