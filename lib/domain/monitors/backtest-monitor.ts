import { setImmediate as letOthersIn } from 'node:timers/promises';
import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Backtest, BacktestInput } from '@/lib/schemas/backtest';
import { isRegionId } from '@/lib/schemas/regions';
import { compareAlerts } from '@/lib/state/compare-replays';
import { Replay, type Replayed, type ReplayedAlert, type ReplayMark } from '@/lib/state/replay';
import { asInput, endOf, type SeenCheck, sortByEnd } from '@/lib/state/seen-check';
import type { StateConfig } from '@/lib/state/types';
import { monitorNotFound } from './get-monitor';
import { readMarks, readSeenChecks } from './read-replay';

const DAY = 86_400_000;
const MOST_CHECKS = 200_000;
const MOST_LISTED = 20;
/** A web process answers others after so many checks. */
const SLICE = 2000;

/**
 * What the last days would have been with other settings: the stored results, run through the state machine under the
 * proposed settings and under those of now. Reads at most 200,000 results. Throws NOT_FOUND, and CONFLICT when `signal` says
 * that nobody waits.
 */
export async function backtestMonitor(
  ctx: OrganizationContext,
  id: string,
  input: BacktestInput,
  signal?: AbortSignal,
): Promise<Backtest> {
  requirePermission(ctx, 'monitor.read');
  const monitor = await ctx.db.monitor.findFirst({ where: { id, organizationId: ctx.organizationId } });
  if (monitor === null) throw monitorNotFound();
  const current: StateConfig = {
    intervalMs: monitor.interval * 1000,
    timeoutMs: monitor.timeout * 1000,
    alertThreshold: monitor.alertThreshold,
    recoveryThreshold: monitor.recoveryThreshold,
    degradedThresholdMs: monitor.degradedThreshold,
    tlsExpiryDays: null,
    regions: monitor.regions,
    configVersion: monitor.configVersion,
  };
  const proposed = propose(current, input);

  const to = ctx.clock.now();
  const asked = new Date(to.getTime() - input.days * DAY);
  const window = { number: monitor.number, from: asked, to };
  const { checks, isCut } = await readSeenChecks(ctx.db, window, MOST_CHECKS);
  sortByEnd(checks, current.timeoutMs);
  const first = checks.reduce((least, { startedAt }) => Math.min(least, startedAt), to.getTime());
  const from = new Date(Math.max(first, asked.getTime()));
  const marks = await readMarks(ctx.db, id, from);

  const past = {
    checks,
    marks,
    from: from.getTime(),
    to: to.getTime(),
    timeoutMs: current.timeoutMs,
    signal,
  };
  const now = await run(current, past);
  const then = await run(proposed, past);
  const { avoided, added } = compareAlerts(now.alerts, then.alerts);
  const seen = new Set(checks.map(({ region }) => region));
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    checks: checks.length,
    isCut,
    current: toOutcome(now),
    proposed: toOutcome(then),
    avoided: listAlerts(avoided),
    added: listAlerts(added),
    silentRegions: proposed.regions.filter(isRegionId).filter((region) => !seen.has(region)),
  };
}

function propose(current: StateConfig, input: BacktestInput): StateConfig {
  const { alertThreshold, recoveryThreshold, timeout, degradedThreshold, regions } = input;
  return {
    ...current,
    alertThreshold: alertThreshold ?? current.alertThreshold,
    recoveryThreshold: recoveryThreshold ?? current.recoveryThreshold,
    timeoutMs: timeout === undefined ? current.timeoutMs : timeout * 1000,
    degradedThresholdMs: degradedThreshold ?? current.degradedThresholdMs,
    regions: regions ?? current.regions,
  };
}

type Past = {
  checks: SeenCheck[];
  marks: ReplayMark[];
  from: number;
  to: number;
  timeoutMs: number;
  signal: AbortSignal | undefined;
};

/** Both replays hear the checks at the same moments, so that only the settings make a difference. */
async function run(config: StateConfig, past: Past): Promise<Replayed> {
  const { checks, marks, from, to, timeoutMs, signal } = past;
  const replay = new Replay(config, from);
  let marked = 0;
  const markUntil = (moment: number) => {
    for (let mark = marks[marked]; mark && mark.at <= moment; mark = marks[++marked]) replay.mark(mark);
  };
  for (const [index, check] of checks.entries()) {
    const at = endOf(check, timeoutMs);
    markUntil(at);
    replay.feed(asInput(check, config), at);
    if (index % SLICE === SLICE - 1) await letOthersIn();
    if (signal?.aborted) throw new DomainError('CONFLICT', 'The backtest was given up.');
  }
  markUntil(to);
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
    .slice(0, MOST_LISTED)
    .map(({ status, since, decidedAt, until, reason }) => ({
      status,
      startedAt: new Date(since).toISOString(),
      decidedAt: new Date(decidedAt).toISOString(),
      endedAt: until === null ? null : new Date(until).toISOString(),
      reason,
    }));
}
