import { expect, it } from 'vitest';
import { createScheduled } from '@/lib/engine/testing/scheduled';
import { CheckSchedule } from './schedule';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const INTERVAL_MS = 300_000;
const [SHARDS, PER_SHARD] = [16, 80];
const LOOK_MS = 20;
/** Checks per millisecond: three times the usual pace of all monitors. */
const PACE = (3 * SHARDS * PER_SHARD) / INTERVAL_MS;

it('overdue checks of shards that are read one after the other begin at the pace of all, not with one at once for each', () => {
  const schedule = new CheckSchedule();
  const begunAt: number[] = [];
  const look = (now: number) => {
    for (let next = schedule.take(now); next !== null; next = schedule.take(now)) {
      begunAt.push(now);
      schedule.giveBack(next.monitor, now);
    }
  };
  let now = NOW;
  for (let shard = 0; shard < SHARDS; shard++, now += LOOK_MS) {
    for (let n = 0; n < PER_SHARD; n++) {
      const place = { slot: shard * 16, phase: 9000 };
      schedule.put(
        createScheduled({ id: `mon_${shard}_${n}`, ...place, intervalMs: INTERVAL_MS, dueAt: NOW - 1000 }),
      );
    }
    schedule.spread(now);
    look(now);
  }
  const allReadAt = now;
  expect(begunAt.length).toBeLessThanOrEqual(1 + (allReadAt - NOW) * PACE);
  for (; begunAt.length < SHARDS * PER_SHARD && now < NOW + INTERVAL_MS; now += LOOK_MS) look(now);
  expect(begunAt).toHaveLength(SHARDS * PER_SHARD);
  expect(now - allReadAt).toBeLessThanOrEqual((SHARDS * PER_SHARD) / PACE + LOOK_MS);
});
