import { expect, it } from 'vitest';
import { beginStory } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { lockMonitors, writeStates } from './monitor-states';

const database = useTestDatabase();

/** Resolves once a transaction of this test's database waits for a locked row. */
async function untilSomebodyWaits(): Promise<void> {
  await expect
    .poll(
      async () => {
        const [row] = await database.db.$queryRaw<[{ count: number }]>`
          SELECT count(*)::int AS count FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return row.count;
      },
      { timeout: 10_000, interval: 20 },
    )
    .toBeGreaterThan(0);
}

it('a worker locking a monitor waits for the current holder, and then sees its writes', async () => {
  const story = await beginStory(database.db);
  const { id } = await story.addMonitor();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let hold = () => {};
  const held = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const first = database.db.$transaction(async (tx) => {
    const [monitor] = await lockMonitors(tx, [id], story.clock.now());
    if (!monitor) throw new Error('the monitor is enabled');
    hold();
    await released;
    await writeStates(tx, [
      { monitor, state: { ...monitor.state, consecutiveFailures: 7 }, observation: null },
    ]);
  });
  await held;
  const second = database.db.$transaction((tx) => lockMonitors(tx, [id], story.clock.now()));
  await untilSomebodyWaits();
  release();
  await first;
  expect((await second).map(({ state }) => state.consecutiveFailures)).toEqual([7]);
});
