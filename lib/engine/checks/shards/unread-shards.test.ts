import { expect, it, onTestFinished } from 'vitest';
import { describeError } from '@/lib/core/errors';
import { REGION, takeAll, useShardStory } from '@/lib/engine/testing/shard-story';
import { START } from '@/lib/engine/testing/story';
import { readOverdue } from './leases';

const { begin } = useShardStory();
const MINUTE = 60_000;

it('a worker that cannot read its shards reports since when their checks are overdue', async () => {
  const { worker, services, clock, addMonitor } = await begin();
  await addMonitor();
  const keeper = worker('wrk_one');
  const failure = () => keeper.sync().then(() => null, describeError);
  const overdueSince = () => readOverdue(services, REGION);
  await services.db.$executeRaw`ALTER TABLE raw.check_result RENAME TO check_result_moved`;
  onTestFinished(async () => {
    await services.db.$executeRaw`ALTER TABLE IF EXISTS raw.check_result_moved RENAME TO check_result`;
  });
  expect(await failure()).toContain('does not exist');
  clock.advance(MINUTE);
  expect(await failure()).toContain('does not exist');
  expect(await overdueSince()).toEqual(START);
  await services.db.$executeRaw`ALTER TABLE raw.check_result_moved RENAME TO check_result`;
  await keeper.sync();
  takeAll(keeper);
  await keeper.sync();
  expect(await overdueSince()).toBeNull();
});
