import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessServices } from '@/lib/domain/context/services';
import type { Database } from '@/lib/platform/db/client';
import { log, measureLateness, type Pids, residentMemory, startCpuMeter } from '../playground';
import type { Monitors } from '../seed';

const PROGRESS_MS = 10_000;
const SAMPLE_MS = 500;
/** More than enough time from a timeout to its result in the database. */
const SETTLE_SECONDS = 5;

/** The results of a run. Times in milliseconds and sizes in bytes, unless the name has a unit. */
export type Figures = Awaited<ReturnType<typeof measure>>;

/** Measures a running worker for `seconds` after a warm-up of one interval. */
export async function measure(services: ProcessServices, pids: Pids, size: Monitors, seconds: number) {
  const { db, clock } = services;
  const { monitors, interval, timeout, hangingEvery } = size;
  const memory = watchMemory(pids.pharos);
  await wait(services, pids, interval, 'warm-up');
  const meter = startCpuMeter(pids);
  const before = await takeReading(services);
  await wait(services, pids, seconds, 'measuring');
  const cpu = meter();
  const after = await takeReading(services);
  await wait(services, pids, timeout + SETTLE_SECONDS, 'waiting for hanging checks');
  const maxResident = memory.stop();
  await clock.measure();

  const checks = after.rows - before.rows;
  const storage = await measureStorage(db);
  const per = (total: number, rows: number) => total / Math.max(1, rows);
  return {
    monitors,
    interval,
    seconds,
    hanging: Math.floor(monitors / hangingEvery),
    checks,
    lateness: await measureLateness(db, before.at, after.at),
    cpu: { workerPerCheck: per(cpu.pharos, checks), postgresPerCheck: per(cpu.postgres, checks) },
    worker: { residentAtMost: maxResident },
    storage: {
      rows: storage.rows,
      heapPerRow: per(storage.heap, storage.rows),
      indexPerRow: per(storage.index, storage.rows),
      bytesPerRow: per(storage.heap + storage.index, storage.rows),
    },
    walPerCheck: per(after.wal - before.wal, checks),
    commitsPerSecond: (after.commits - before.commits) / seconds,
    updates: after.updates.map((update, index) => ({
      ...update,
      updates: update.updates - (before.updates[index]?.updates ?? 0),
      hot: update.hot - (before.updates[index]?.hot ?? 0),
    })),
  };
}

async function takeReading({ db, clock }: ProcessServices) {
  const at = clock.now();
  const { rows } = await measureStorage(db);
  const [wal, updates, commits] = [await readWalPosition(db), await readUpdates(db), await readCommits(db)];
  return { at, rows, wal, updates, commits };
}

async function wait({ db }: ProcessServices, pids: Pids, seconds: number, what: string): Promise<void> {
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  while (performance.now() < end) {
    await delay(Math.min(PROGRESS_MS, end - performance.now()));
    const { rows } = await measureStorage(db);
    const passed = Math.round((performance.now() - startedAt) / 1000);
    const megabytes = Math.round(residentMemory(pids.pharos) / 1e6);
    log(`${what}: ${passed} of ${seconds} s, ${rows} results, worker ${megabytes} MB`);
  }
}

function watchMemory(pid: number): { stop(): number } {
  let max = 0;
  const timer = setInterval(() => {
    max = Math.max(max, residentMemory(pid));
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return max;
    },
  };
}

/** Sizes of raw results in the database, in bytes. */
type Storage = { rows: number; heap: number; index: number };

/** Updates of a table that every check updates; HOT updates touch no index. */
type Updates = { table: string; updates: number; hot: number };

/** Counts rows and bytes of all partitions of raw.check_result. */
async function measureStorage(db: Database): Promise<Storage> {
  const rows = await db.$queryRaw<Storage[]>`
    SELECT (SELECT count(*) FROM raw.check_result)::float8 AS rows,
           sum(pg_table_size(inhrelid))::float8 AS heap, sum(pg_indexes_size(inhrelid))::float8 AS index
      FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'raw.check_result'::regclass AND pg_relation_size(inhrelid) > 0`;
  return rows[0] ?? { rows: 0, heap: 0, index: 0 };
}

/** Bytes of write-ahead log since the cluster was created. */
async function readWalPosition(db: Database): Promise<number> {
  const rows = await db.$queryRaw<{ bytes: number }[]>`
    SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`;
  return rows[0]?.bytes ?? 0;
}

/** The updates so far of the tables that every check updates. */
async function readUpdates(db: Database): Promise<Updates[]> {
  return db.$queryRaw<Updates[]>`
    SELECT relname AS table, n_tup_upd::float8 AS updates, n_tup_hot_upd::float8 AS hot FROM pg_stat_user_tables
     WHERE relname IN ('probe_schedule', 'monitor_state') ORDER BY relname`;
}

/** Committed transactions so far. */
async function readCommits(db: Database): Promise<number> {
  const rows = await db.$queryRaw<{ commits: number }[]>`
    SELECT xact_commit::float8 AS commits FROM pg_stat_database WHERE datname = current_database()`;
  return rows[0]?.commits ?? 0;
}
