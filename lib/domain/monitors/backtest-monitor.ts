import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { isGroup } from '@/lib/checks/types';
import { invalidState, requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { requireOwn } from '@/lib/domain/regions/usable-regions';
import type { Database } from '@/lib/platform/db/client';
import { type Monitor as MonitorRow, Prisma } from '@/lib/platform/db/generated/client';
import type { Backtest, BacktestInput } from '@/lib/schemas/monitor/backtest';
import { monitorFields } from '@/lib/schemas/monitor/fields';
import { OUTCOMES } from '@/lib/schemas/monitor/result';
import { isRegionId, regionOf } from '@/lib/schemas/regions';
import { createEstimate, thinChecks } from '@/lib/state/confirmation/estimate-checks';
import { endOf, type StoredCheck, sortByEnd, toInput } from '@/lib/state/region';
import {
  compareAlerts,
  Replay,
  type Replayed,
  type ReplayedAlert,
  type ReplayMark,
} from '@/lib/state/replay';
import { CALLER, type MemberRule, type StateConfig, toStateConfig } from '@/lib/state/types';
import { applyCorrections } from './corrections/apply-corrections';
import { replayGroup } from './groups/replay-group';
import { MAINTENANCE_BEGAN, MAINTENANCE_ENDED } from './history/ledger';
import { readLedgers } from './history/periods';
import { IS_TIMELY } from './last-checks';

type Reader = Pick<Database, '$queryRaw'>;
type Window = { number: number; from: Date; to: Date };
type Place = { at: number; region: number };

type CheckRow = Place & {
  outcome: number;
  responseTime: number | null;
  errorCode: string | null;
  error: string | null;
};

type MarkRow = {
  state: 'pending' | 'paused' | 'maintenance';
  from: Date;
  to: Date | null;
  rule: string | null;
};

const DAY = 86_400_000;
/** Checks per query, so that no query holds a connection for long. */
const BATCH = 20_000;
const MAX_MARKS = 5000;
const MAX_CHECKS = 200_000;
const MAX_LISTED = 20;
/** The replay yields to other requests after this many checks. */
const SLICE = 2000;

/**
 * Replays the stored results of the last days through the state machine, with the proposed and with the current settings. Reads
 * at most 200,000 results. Of a group, it replays what its members were, with their corrections. Throws NOT_FOUND, UNKNOWN_REGION, and VALIDATION_ERROR if `signal` aborts.
 */
export async function backtestMonitor(
  ctx: OrganizationContext,
  id: string,
  input: BacktestInput,
  signal?: AbortSignal,
): Promise<Backtest> {
  requirePermission(ctx, 'monitor.read');
  const found = await ctx.db.monitor.findFirst({ where: { id, organizationId: ctx.organizationId } });
  const monitor = requireFound(found, 'Monitor');
  if (isGroup(monitor)) return backtestGroup(ctx, monitor, input);
  await requireOwn(ctx, input.regions ?? []);
  const settings = { ...monitor, tlsExpiryDays: null };
  const current = toStateConfig(settings);
  const proposed = toStateConfig({ ...settings, ...input });

  const to = ctx.clock.now();
  const requested = new Date(to.getTime() - input.days * DAY);
  const window = { number: monitor.number, from: requested, to };
  const { checks, isCut } = await readSeenChecks(ctx.db, window, MAX_CHECKS);
  sortByEnd(checks, current.timeoutMs);
  const first = checks.reduce((least, { startedAt }) => Math.min(least, startedAt), to.getTime());
  const from = new Date(Math.max(first, requested.getTime()));
  const marks = await readMarks(ctx.db, id, from);

  const past = { checks, marks, from: from.getTime(), to: to.getTime(), timeoutMs: current.timeoutMs };
  const now = await run(current, past, signal);
  // Checks that only the current settings made off the grid say nothing about others.
  const madeOffGrid = current.confirmMs !== null && current.confirmMs !== proposed.confirmMs;
  const then = await run(
    proposed,
    madeOffGrid ? { ...past, checks: thinChecks(proposed, checks) } : past,
    signal,
  );
  const seen = new Set(checks.map(({ region }) => region));
  return {
    ...toBacktest({
      current: now,
      proposed: then,
      times: { from: from.getTime(), to: to.getTime() },
      checks: checks.length,
    }),
    isCut,
    silentRegions: proposed.regions.filter(isRegionId).filter((region) => !seen.has(region)),
  };
}

type Compared = {
  current: Replayed;
  proposed: Replayed;
  times: { from: number; to: number };
  checks: number;
};

function toBacktest({ current, proposed, times, checks }: Compared): Backtest {
  const { avoided, added, soonerMs } = compareAlerts(current.alerts, proposed.alerts);
  return {
    from: new Date(times.from).toISOString(),
    to: new Date(times.to).toISOString(),
    checks,
    isCut: false,
    estimatedChecks: proposed.estimated,
    sooner: soonerMs === null ? null : Math.round(soonerMs),
    current: toOutcome(current),
    proposed: toOutcome(proposed),
    avoided: listAlerts(avoided),
    added: listAlerts(added),
    silentRegions: [],
  };
}

type Past = { checks: StoredCheck[]; marks: ReplayMark[]; from: number; to: number; timeoutMs: number };

/** Both replays get the checks at the same times, so that they differ only in their settings. */
async function run(config: StateConfig, { checks, marks, from, to, timeoutMs }: Past, signal?: AbortSignal) {
  const replay = new Replay(config, from);
  const estimate = createEstimate(config, checks);
  let marked = 0;
  const advanceTo = (moment: number) => {
    for (let mark = marks[marked]; mark && mark.at <= moment; mark = marks[++marked]) {
      replay.confirm(estimate, mark.at);
      replay.mark(mark);
    }
    replay.confirm(estimate, moment);
  };
  for (const [index, check] of checks.entries()) {
    const at = endOf(check, timeoutMs);
    advanceTo(at);
    replay.feed(toInput(check, config), at);
    if (index % SLICE === SLICE - 1) await yieldToOthers();
    if (signal?.aborted) throw invalidState('The backtest was canceled.');
  }
  advanceTo(to);
  return replay.end(to);
}

function toOutcome({ alerts, downMs, degradedMs }: Replayed): Backtest['current'] {
  const count = (wanted: string) => alerts.filter(({ status }) => status === wanted).length;
  return {
    down: count('down'),
    degraded: count('degraded'),
    downtime: Math.round(downMs),
    degradedTime: Math.round(degradedMs),
  };
}

function listAlerts(alerts: ReplayedAlert[]): Backtest['added'] {
  return alerts
    .toReversed()
    .slice(0, MAX_LISTED)
    .map(({ status, since, decidedAt, until, reason }) => ({
      status,
      startedAt: new Date(since).toISOString(),
      decidedAt: new Date(decidedAt).toISOString(),
      endedAt: until === null ? null : new Date(until).toISOString(),
      reason,
    }));
}

type GroupRow = Pick<MonitorRow, 'id' | 'members' | 'memberMinimum' | 'memberRule'>;

/** The same of a group: what its members were, with their corrections, decides by either rule. */
async function backtestGroup(
  ctx: OrganizationContext,
  { id, members, memberMinimum, ...row }: GroupRow,
  { days, memberRule, memberMinimum: minimum }: BacktestInput,
): Promise<Backtest> {
  const to = ctx.clock.now();
  const current = { memberRule: monitorFields.memberRule.parse(row.memberRule), memberMinimum };
  const proposed = {
    memberRule: memberRule ?? current.memberRule,
    memberMinimum: minimum === undefined ? memberMinimum : minimum,
  };
  const since = new Date(to.getTime() - days * DAY);
  const ledgers = await readLedgers(ctx.db, Prisma.sql`SELECT unnest(${[id, ...members]}::text[])`, {
    since,
    now: to,
    silences: new Map(),
  });
  const names = await ctx.db.monitor.findMany({
    where: { id: { in: members } },
    select: { id: true, name: true },
  });
  const found = names.map(({ id: member, name }) => {
    const { measured, corrections } = ledgers.get(member) ?? { measured: [], corrections: [] };
    return { name, periods: applyCorrections(measured, corrections) };
  });
  const own = ledgers.get(id)?.measured ?? [];
  const first = own.reduce((least, { from }) => Math.min(least, from.getTime()), to.getTime());
  const times = { from: Math.max(first, since.getTime()), to: to.getTime() };
  const replay = (rule: MemberRule) => replayGroup(rule, found, own, times);
  const checks = found.reduce((sum, { periods }) => sum + periods.length, 0);
  return toBacktest({ current: replay(current), proposed: replay(proposed), times, checks });
}

/** The checks of a monitor within a window, oldest first; if there are more than `most`, only the latest, and `isCut` is true. */
export async function readSeenChecks(
  db: Reader,
  window: Window,
  most: number,
): Promise<{ checks: StoredCheck[]; isCut: boolean }> {
  const [beyond] = await db.$queryRaw<{ at: Date }[]>(latestBeyond(window, most));
  const from = beyond?.at ?? window.from;
  const checks: StoredCheck[] = [];
  let after: Place = { at: from.getTime(), region: beyond ? Number.POSITIVE_INFINITY : 0 };
  for (;;) {
    const rows = await db.$queryRaw<CheckRow[]>(checksAfter(window, after));
    for (const row of rows) checks.push(toSeen(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return { checks, isCut: beyond !== undefined };
    after = last;
  }
}

/** The time of the latest check beyond the limit, by an index-only scan. */
export function latestBeyond({ number, from, to }: Window, most: number): Prisma.Sql {
  return Prisma.sql`
    SELECT checked_at AS at FROM raw.check_result
     WHERE monitor = ${number} AND checked_at >= ${from} AND checked_at <= ${to}
     ORDER BY checked_at DESC OFFSET ${most} LIMIT 1`;
}

/** Continues in the index of a monitor's results after a check, up to the end of the window. Late results decided nothing. */
export function checksAfter({ number, to }: Window, { at, region }: Place): Prisma.Sql {
  const moment = new Date(at);
  // Higher than any region number: skips the rest of that time.
  const tie = Number.isFinite(region) ? region : 32_767;
  return Prisma.sql`
    SELECT (extract(epoch FROM checked_at) * 1000)::float8 AS at, region, outcome, response_time AS "responseTime",
           error_code AS "errorCode", error
      FROM raw.check_result
     WHERE monitor = ${number} AND checked_at >= ${moment} AND checked_at <= ${to}
       AND (checked_at > ${moment} OR region > ${tie}) AND ${IS_TIMELY}
     ORDER BY checked_at, region LIMIT ${BATCH}`;
}

function toSeen({ at, region, outcome, responseTime, errorCode, error }: CheckRow): StoredCheck {
  return {
    region: regionOf(region) ?? CALLER,
    startedAt: at,
    outcome: OUTCOMES[outcome] ?? 'unknown',
    responseTime,
    error: errorCode === null ? null : { code: errorCode, message: error ?? '' },
  };
}

/** Pauses, maintenance and restarts at pending since a time, according to the ledger, oldest first. */
async function readMarks(db: Reader, monitorId: string, since: Date): Promise<ReplayMark[]> {
  const rows = await db.$queryRaw<MarkRow[]>`
    SELECT state::text AS state, from_at AS "from", to_at AS "to", why->>'rule' AS rule FROM status_period
     WHERE monitor_id = ${monitorId} AND state IN ('pending', 'paused', 'maintenance')
       AND (to_at IS NULL OR to_at >= ${since})
     ORDER BY from_at, id LIMIT ${MAX_MARKS}`;
  return rows.flatMap((row, index) => toMarks(row, rows[index + 1]));
}

function toMarks({ state, from, to, rule }: MarkRow, next?: MarkRow): ReplayMark[] {
  const at = from.getTime();
  // A monitor that was pending before maintenance is pending again after it.
  if (state === 'pending') return [{ kind: rule === MAINTENANCE_ENDED ? 'maintenance-end' : 'restart', at }];
  if (state === 'paused') return [{ kind: 'pause', at }];
  const begin: ReplayMark = { kind: 'maintenance', isRestart: rule !== MAINTENANCE_BEGAN, at };
  const endsItself = to !== null && next?.from.getTime() !== to.getTime();
  return endsItself ? [begin, { kind: 'maintenance-end', at: to.getTime() }] : [begin];
}
