import type { MonitorType } from '@/lib/checks/types';
import type { Services } from '@/lib/domain/context/services';
import { followStatus } from '@/lib/domain/incidents/follow-status';
import { switchPeriods } from '@/lib/domain/monitors/history/ledger';
import { packHistogram } from '@/lib/domain/monitors/history/read-latency';
import { restartSchedules } from '@/lib/domain/monitors/probe-schedules';
import { storeResults } from '@/lib/engine/checks/recording/store-results';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createRollupMonth } from '@/lib/engine/upkeep/roll-up';
import type { Transaction } from '@/lib/platform/db/client';
import { isRegionId, type RegionId, regionNumber } from '@/lib/schemas/regions';
import type { PastCheck, PastHour, ReplayedHistory } from './replay-history';

const DAY = 86_400_000;
const BATCH = 5000;

/** A paused monitor without history. */
export type HistoryTarget = {
  id: string;
  number: number;
  name: string;
  type: MonitorType;
  regions: readonly RegionId[];
  createdAt: Date;
  /** Since when it is paused; null: it is enabled from now on. */
  pausedSince: Date | null;
};

type DemoServices = Pick<Services, 'db' | 'clock'>;

/** Creates partitions for rollups from `from` and for checks from `rawSince`. */
export async function prepareTables(
  { db, clock }: DemoServices,
  { from, rawSince }: { from: Date; rawSince: Date },
): Promise<void> {
  const now = clock.now();
  const daysBack = Math.ceil((now.getTime() - rawSince.getTime()) / DAY) + 1;
  await ensureResultPartitions(db, now, daysBack);
  await db.$transaction(async (tx) => {
    for (let at = from.getTime(); at < now.getTime() + DAY; at += DAY)
      await createRollupMonth(tx, new Date(at));
  });
}

/** Writes the history of a monitor as the engine would have, which continues from there. Sends no notifications. */
export async function writeHistory(
  { db, clock }: DemoServices,
  organizationId: string,
  monitor: HistoryTarget,
  { state, changes, hours, checks }: ReplayedHistory,
): Promise<void> {
  const { id: monitorId, number } = monitor;
  await db.$transaction(
    async (tx) => {
      await writeLedger(tx, monitor, changes);
      await followStatus(
        tx,
        changes.flatMap(({ to, at, since }) => {
          if (to === 'pending') return [];
          const moments = { at: new Date(at), since: new Date(since) };
          return [{ organizationId, monitorId, monitorName: monitor.name, status: to, ...moments }];
        }),
      );
      await writeState(tx, monitorId, state, checks.at(-1));
      await writeHours(tx, number, hours);
      await writeChecks(tx, number, checks);
      if (monitor.pausedSince !== null) return;
      await tx.monitor.update({ where: { id: monitorId }, data: { enabled: true } });
      await restartSchedules(
        tx,
        [{ id: monitorId, type: monitor.type, regions: monitor.regions }],
        clock.now(),
      );
    },
    { timeout: 120_000 },
  );
}

async function writeLedger(
  tx: Transaction,
  { id: monitorId, createdAt, pausedSince }: HistoryTarget,
  changes: ReplayedHistory['changes'],
): Promise<void> {
  await tx.statusPeriod.deleteMany({ where: { monitorId } });
  const begin = { monitorId, from: createdAt, decidedAt: createdAt, why: null };
  await switchPeriods(tx, [{ ...begin, state: 'pending' }]);
  for (const { to, since, at, why } of changes) {
    await switchPeriods(tx, [{ monitorId, state: to, from: new Date(since), decidedAt: new Date(at), why }]);
  }
  if (pausedSince === null) return;
  await switchPeriods(tx, [
    { monitorId, state: 'paused', from: pausedSince, decidedAt: pausedSince, why: null },
  ]);
}

async function writeState(
  tx: Transaction,
  monitorId: string,
  state: ReplayedHistory['state'],
  last: PastCheck | undefined,
): Promise<void> {
  await tx.monitorState.update({
    where: { monitorId },
    data: {
      status: state.status,
      machine: state,
      consecutiveFailures: state.consecutiveFailures,
      lastCheckedAt: last === undefined ? null : new Date(last.startedAt),
      lastResponseTime: last?.result.responseTime ?? null,
    },
  });
}

async function writeChecks(tx: Transaction, number: number, checks: PastCheck[]): Promise<void> {
  for (let start = 0; start < checks.length; start += BATCH) {
    await storeResults(
      tx,
      checks.slice(start, start + BATCH).map(({ region, startedAt, result }) => ({
        check: { monitor: { number, region } },
        startedAt: new Date(startedAt),
        result,
      })),
    );
  }
}

async function writeHours(tx: Transaction, monitor: number, hours: PastHour[]): Promise<void> {
  const rows = hours.map(({ region, hour, checks, failures, sum, latency }) => ({
    hour: new Date(hour),
    monitor,
    region: isRegionId(region) ? regionNumber(region) : 0,
    checks,
    failures,
    unknown: 0,
    response_time_sum: sum,
    latency: packHistogram(latency),
  }));
  await tx.$executeRaw`
    INSERT INTO raw.rollup_hour (hour, monitor, region, checks, failures, unknown, response_time_sum, latency)
    SELECT hour, monitor, region, checks, failures, unknown, response_time_sum, latency
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (
           hour timestamptz, monitor int, region smallint, checks int, failures int, unknown int,
           response_time_sum bigint, latency int[])
    ON CONFLICT (monitor, hour, region) DO NOTHING`;
}
