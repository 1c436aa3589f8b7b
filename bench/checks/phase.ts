import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@/lib/platform/db/client';
import type { MonitorStatus } from '@/lib/state/types';
import {
  type Figure,
  figure,
  type Lateness,
  log,
  measureLateness,
  type Pids,
  startCpuMeter,
} from '../playground';
import type { openBench } from '../seed';

/** Seconds of each measurement. */
export type Durations = { seconds: number; floorSeconds: number };

const POLL_MS = 250;
const PROGRESS_MS = 10_000;
/** More than enough time from the end of a check to its result in the database. */
export const SETTLE_SECONDS = 3;
/** So many intervals without an end, and a row fails. */
export const PATIENCE_INTERVALS = 10;

type Services = Awaited<ReturnType<typeof openBench>>['services'];

/** The running worker whose checks are measured. */
export type Measurable = {
  services: Services;
  pids(): Pids;
  wait(seconds: number, what: string): Promise<void>;
};

/** What a part of an outage took: seconds, and per check CPU milliseconds and bytes of the write-ahead log. */
export type Phase = {
  seconds: number;
  checks: number;
  failed: number;
  worker: number;
  postgres: number;
  wal: number;
  lateness: Lateness;
};

/** Measures the checks that begin while `run` runs, once `settle` has waited for the slowest of them. */
export async function measurePhase(
  { services: { db, clock }, pids, wait }: Measurable,
  run: () => Promise<void>,
  settle = () => wait(SETTLE_SECONDS, 'waiting for results'),
): Promise<Phase> {
  const before = await readLog(db);
  const from = clock.now();
  const startedAt = performance.now();
  const meter = startCpuMeter(pids());
  await run();
  const cpu = meter();
  const seconds = (performance.now() - startedAt) / 1000;
  const until = clock.now();
  const wal = (await readLog(db)) - before;
  await settle();
  // Our clock may have been corrected meanwhile.
  await clock.measure();
  const { checks, failed } = await countChecks(db, from, until);
  return {
    seconds,
    checks,
    failed,
    worker: cpu.pharos / checks,
    postgres: cpu.postgres / checks,
    wal: wal / checks,
    lateness: await measureLateness(db, from, until),
  };
}

/** Limits of a phase; CPU as multiples of the floor, the log in bytes per check. */
export type PhaseLimits = { worker?: number; postgres?: number; wal?: number };

const MAX_LATENESS_MS = 250;

/** A phase as figures, with the cost of a bare exchange. */
export function describePhase(
  name: string,
  { seconds, checks, worker, postgres, wal, lateness }: Phase,
  floor: number,
  limits: PhaseLimits,
): Figure[] {
  const what = (text: string) => `${name}: ${text}`;
  return [
    figure.count(what('checks'), checks),
    figure.ratio(what('checks per second'), checks / seconds),
    figure.cpu(what('worker'), worker),
    figure.ratio(what('worker × floor'), worker / floor, { atMost: limits.worker }),
    figure.cpu(what('PostgreSQL'), postgres),
    figure.ratio(what('PostgreSQL × floor'), postgres / floor, { atMost: limits.postgres }),
    figure.count(what('write-ahead log per check, bytes'), wal, { atMost: limits.wal }),
    figure.count(what('slots skipped'), lateness.missed, { atMost: 0 }),
    figure.percentiles(what('lateness'), lateness, { atMost: MAX_LATENESS_MS }),
  ];
}

/**
 * Waits until all monitors have a status but for some `others`, for some intervals of so many seconds. Throws if they do not get there.
 * Looks for the first ones that do not: counting all would cost as much as some of what is measured.
 */
export async function untilStatus(
  db: Database,
  status: MonitorStatus,
  { monitors, interval, others = 0 }: { monitors: number; interval: number; others?: number },
): Promise<void> {
  const startedAt = performance.now();
  let loggedAt = startedAt;
  for (;;) {
    const now = performance.now();
    const isReached = await isNearly(db, status, others);
    if (isReached || now - loggedAt >= PROGRESS_MS) {
      const found = await db.monitorState.count({ where: { status } });
      log(`  ${Math.round((now - startedAt) / 1000)} s: ${found} of ${monitors} monitors are ${status}`);
      loggedAt = now;
    }
    if (isReached) return;
    if (now - startedAt > PATIENCE_INTERVALS * interval * 1000)
      throw new Error(`too few of ${monitors} monitors became ${status}`);
    await delay(POLL_MS);
  }
}

async function isNearly(db: Database, status: MonitorStatus, others: number): Promise<boolean> {
  const [row] = await db.$queryRaw<[{ found: number }]>`
    SELECT count(*)::int AS found
      FROM (SELECT FROM monitor_state WHERE status <> ${status}::monitor_status LIMIT ${others + 1}) AS other`;
  return row.found <= others;
}

/** Bytes of the write-ahead log so far. */
async function readLog(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>`
    SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`;
  return row?.bytes ?? 0;
}

/** Results of checks that began from `from` until before `until`. Throws if there are none. */
async function countChecks(db: Database, from: Date, until: Date) {
  const [found] = await db.$queryRaw<{ checks: number; failed: number }[]>`
    SELECT count(*)::float8 AS checks, count(*) FILTER (WHERE outcome <> 0)::float8 AS failed
      FROM raw.check_result WHERE checked_at >= ${from} AND checked_at < ${until}`;
  if (!found?.checks) throw new Error('no check was recorded');
  return found;
}
