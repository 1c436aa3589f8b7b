import type { Database } from '@/lib/platform/db/client';
import { type Figure, figure, formatPercentiles } from '../playground';
import { measureFloor } from './floor';
import { measurePhase, SETTLE_SECONDS } from './phase';
import type { World } from './world';

/** More than hang. With more, something else is measured. */
const MAX_FAILURES = 0.05;

/** The limits of a steady row; CPU as multiples of the floor, lateness in milliseconds, sizes in bytes. */
export type SteadyLimits = {
  worker?: number;
  postgres?: number;
  lateness?: number;
  wal?: number;
  stored?: number;
  resident?: number;
};

/** The figure that rows of different sizes are compared by. */
export const NET_OF_IDLE = 'worker, net of idle';

/** Measures the running worker for `seconds`, and the floor at the same rate directly before and after. */
export async function measureSteady(
  world: World,
  { seconds, floorSeconds, limits = {} }: { seconds: number; floorSeconds: number; limits?: SteadyLimits },
): Promise<Figure[]> {
  const { services, setting } = world;
  const { db } = services;
  const floorBefore = await measureFloor(world, floorSeconds);
  let floorAfter = 0;
  const before = await takeReading(db);
  let after = before;
  const timeout = setting.hangingEvery > 0 ? setting.timeout : 0;
  const { checks, failed, worker, postgres, wal, lateness } = await measurePhase(
    world,
    async () => {
      await world.wait(seconds, 'measuring');
      after = await takeReading(db);
    },
    async () => {
      floorAfter = await measureFloor(world, floorSeconds);
      await world.wait(Math.max(0, timeout - floorSeconds) + SETTLE_SECONDS, 'waiting for results');
    },
  );
  if (!(failed <= checks * MAX_FAILURES)) throw new Error(`${failed} of ${checks} checks failed`);
  const stored = await measureStorage(db);
  const floor = (floorBefore + floorAfter) / 2;
  const idle = world.idleMsPerSecond;
  return [
    figure.count('checks', checks),
    figure.count('failed checks', failed),
    figure.ratio('checks per second', checks / seconds),
    figure.cpu('floor before', floorBefore),
    figure.cpu('floor after', floorAfter),
    figure.cpu('worker', worker),
    figure.ratio('worker × floor', worker / floor, { atMost: limits.worker }),
    ...(idle === null
      ? []
      : [
          figure.ratio('idle worker, CPU ms per second', idle),
          figure.cpu(NET_OF_IDLE, worker - (idle * seconds) / checks),
        ]),
    figure.cpu('PostgreSQL', postgres),
    figure.ratio('PostgreSQL × floor', postgres / floor, { atMost: limits.postgres }),
    figure.count('write-ahead log per check, bytes', wal, { atMost: limits.wal }),
    figure.ratio('stored per check, bytes', stored.bytesPerRow, { atMost: limits.stored }),
    figure.ratio('stored rows per check', lateness.results / Math.max(1, lateness.slots)),
    figure.count('maximum resident memory, MB', world.maxResident() / 1e6, { atMost: limits.resident }),
    {
      name: 'lateness p50 / p95 / p99 / max',
      value: lateness.p99,
      atMost: limits.lateness,
      text: formatPercentiles(lateness),
    },
    figure.count('slots', lateness.slots),
    figure.count('slots skipped', lateness.missed),
    figure.count('slots recorded twice', lateness.doubled, { atMost: 0 }),
    figure.ratio('transactions per second', (after.commits - before.commits) / seconds),
    ...after.updates.map(({ table, updates }) =>
      figure.ratio(
        `updates of ${table} per check`,
        (updates - (before.updates.find((row) => row.table === table)?.updates ?? 0)) / checks,
      ),
    ),
  ];
}

/** Tables that checks may update. */
const UPDATED = ['shard_lease', 'check_runner', 'probe_schedule', 'monitor_state'];

async function takeReading(db: Database) {
  const [server] = await db.$queryRaw<{ commits: number }[]>`
    SELECT xact_commit::float8 AS commits FROM pg_stat_database WHERE datname = current_database()`;
  const updates = await db.$queryRaw<{ table: string; updates: number }[]>`
    SELECT relname AS table, n_tup_upd::float8 AS updates FROM pg_stat_user_tables
     WHERE relname = ANY(${UPDATED}) ORDER BY relname`;
  return { commits: server?.commits ?? 0, updates };
}

/** The size of all partitions of raw.check_result with their indexes. */
async function measureStorage(db: Database): Promise<{ bytesPerRow: number }> {
  const rows = await db.$queryRaw<{ bytesPerRow: number }[]>`
    SELECT (sum(pg_table_size(inhrelid) + pg_indexes_size(inhrelid))
             / greatest(1, (SELECT count(*) FROM raw.check_result)))::float8 AS "bytesPerRow"
      FROM pg_inherits WHERE inhparent = 'raw.check_result'::regclass AND pg_relation_size(inhrelid) > 0`;
  return rows[0] ?? { bytesPerRow: 0 };
}
