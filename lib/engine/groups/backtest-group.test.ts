import { expect, it } from 'vitest';
import { backtestMonitor } from '@/lib/domain/monitors/backtest-monitor';
import { createCorrection } from '@/lib/domain/monitors/corrections/change-corrections';
import { FAILED, OK, SLOW } from '@/lib/engine/testing/story';
import { backtestInputSchema } from '@/lib/schemas/monitor/backtest';
import { useTestDatabase } from '@/lib/testing/database';
import { beginGroupStory } from './testing/group-story';

const database = useTestDatabase();

it('a backtest of a group replays its members by another rule, with their corrections', async () => {
  const story = await beginGroupStory(database.db);
  const [a = '', b = ''] = await story.addMembers(2);
  const group = await story.addGroup([a, b], { memberRule: 'any' });
  await story.report({ [a]: OK, [b]: OK });
  const down = story.clock.now().getTime() + 90_000;
  await story.report({ [a]: FAILED, [b]: OK });
  await story.report({ [a]: FAILED, [b]: SLOW });
  await story.report({ [a]: OK, [b]: OK });
  story.clock.advance(60_000);
  const run = (input: object) => backtestMonitor(story.ctx, group, backtestInputSchema.parse(input));
  const all = await run({ memberRule: 'all' });
  expect(all).toMatchObject({
    current: { down: 0, degraded: 1, downtime: 0, degradedTime: 90_000 },
    proposed: { down: 1, degraded: 0, downtime: 180_000 },
    avoided: [{ status: 'degraded' }],
    added: [
      {
        status: 'down',
        startedAt: new Date(down).toISOString(),
        endedAt: new Date(down + 180_000).toISOString(),
        reason: '1 of 2 members is down, all must be up: Member 1',
      },
    ],
  });
  expect(await run({ memberRule: 'share', memberMinimum: 50 })).toMatchObject({ avoided: [], added: [] });
  await createCorrection(story.ctx, a, {
    from: new Date(down),
    to: new Date(down + 180_000),
    state: 'operational',
    reason: 'The probe was wrong',
  });
  expect((await run({ memberRule: 'all' })).proposed).toMatchObject({ down: 0, degraded: 1 });
});
