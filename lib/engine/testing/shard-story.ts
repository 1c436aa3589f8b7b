import { beforeEach } from 'vitest';
import type { Services } from '@/lib/domain/context/services';
import { copyMonitor } from '@/lib/domain/monitors/testing/history';
import { createDatabaseKeeper } from '@/lib/engine/checks/shards/database-store';
import type { ShardKeeper } from '@/lib/engine/checks/shards/keep-shards';
import type { DueCheck } from '@/lib/engine/checks/shards/scheduled-monitor';
import type { Database } from '@/lib/platform/db/client';
import { SHARDS, schedulePlace } from '@/lib/state/schedule-grid';
import { useTestDatabase } from '@/lib/testing/database';
import { keepLog } from '@/lib/testing/kept-log';
import { beginStory } from './story';

export const REGION = 'us-east';

/** A database in which each test begins without monitors, shards and workers. */
export function useShardStory() {
  const database = useTestDatabase();
  beforeEach(async () => {
    await database.db.organization.deleteMany();
    for (const table of ['shard_lease', 'check_runner', 'schedule_change'])
      await database.db.$executeRawUnsafe(`DELETE FROM raw.${table}`);
  });
  return { database, begin: () => beginShardStory(database.db) };
}

async function beginShardStory(db: Database) {
  const story = await beginStory(db);
  const { clock, services } = story;
  const { log, lines } = keepLog();
  const worker = (workerId: string, by: Services = services) =>
    createDatabaseKeeper(by, { region: REGION, workerId }, { log });
  return {
    ...story,
    worker,
    log,
    messages: () => lines().map(({ msg }) => msg),
    /** This many monitors, which are all due. */
    addMany: async (count: number) => {
      const { id } = await story.addMonitor();
      const ids = [id, ...(await copyMonitor(db, id, count - 1))];
      const data = ids.map((one) => ({
        monitorId: one,
        region: REGION,
        ...schedulePlace(one, REGION),
        nextCheckAt: clock.now(),
      }));
      await db.probeSchedule.createMany({ data: data.slice(1) });
      return ids;
    },
    /** Lets time pass, during which only these workers are seen. */
    pass: async (ms: number, ...keepers: ShardKeeper[]) => {
      for (let rest = ms; rest > 0; rest -= 1000) {
        clock.advance(Math.min(rest, 1000));
        for (const keeper of keepers) await keeper.sync();
      }
    },
    /** How many shards each worker owns. */
    owned: async () => {
      const rows = await db.$queryRaw<{ owner: string; shards: number }[]>`
        SELECT owner, count(*)::int AS shards FROM raw.shard_lease WHERE owner IS NOT NULL GROUP BY owner`;
      return Object.fromEntries(rows.map(({ owner, shards }) => [owner, shards]));
    },
  };
}

/** Syncs workers one after the other, as often as they need to agree: one gives away two shards at a time. */
export async function settle(...keepers: ShardKeeper[]): Promise<void> {
  for (let round = 0; round < SHARDS / 2; round++) for (const keeper of keepers) await keeper.sync();
}

/** Takes everything that is due, and gives it back. */
export function takeAll(keeper: ShardKeeper): DueCheck[] {
  const checks = keeper.takeDue(10_000);
  for (const check of checks) keeper.giveBack(check);
  return checks;
}

/** The monitors of checks, in order. */
export const idsOf = (checks: readonly DueCheck[]) => checks.map(({ monitor }) => monitor.id).toSorted();
