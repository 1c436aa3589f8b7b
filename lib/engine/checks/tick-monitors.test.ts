import { expect, it } from 'vitest';
import { copyMonitor } from '@/lib/domain/monitors/testing/history';
import { beginStory } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { overdueVotesQuery } from './tick-monitors';

const database = useTestDatabase();

it('overdue votes are found by the index of one region, regardless of the others', async () => {
  const { addMonitor, clock } = await beginStory(database.db);
  const shop = await addMonitor({ name: 'Shop', regions: ['us-east'] });
  await addMonitor({ name: 'Mail', regions: ['eu-west'] });
  const copies = await copyMonitor(database.db, shop.id, 3000);
  await database.db.$executeRaw`
    INSERT INTO probe_schedule (monitor_id, region, slot, phase, next_check_at)
    SELECT id, 'us-east', 0, 0, ${clock.now()} FROM unnest(${copies}::text[]) AS id`;
  await database.db.$executeRawUnsafe('ANALYZE');
  const { steps, pages } = await explain(database.db, overdueVotesQuery(['eu-west'], clock.now()));
  const read = steps.filter(({ relation }) => relation !== null).map(({ type }) => type);
  expect(read.filter((type) => type === 'Seq Scan')).toEqual([]);
  expect(pages).toBeLessThan(40);
});
