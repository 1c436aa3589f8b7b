import { groupBy } from '@/lib/core/groups';
import type { StoredCheck } from '../region';
import type { MonitorState, StateConfig } from '../types';

/** What checks off the grid would have found, that were not made; null: unknown, or a stored check takes its place. */
export type Estimate = (region: string, dueAt: number) => StoredCheck | null;

/**
 * Estimates checks from stored ones: each is taken to have found what the next stored check of its region found. So a failure counts only
 * if the regular check after it failed too, and an outage shorter than an interval is not seen. Regions must be asked in the
 * order of time.
 */
export function createEstimate(config: StateConfig, checks: readonly StoredCheck[]): Estimate {
  const byRegion = groupBy(
    checks.toSorted((a, b) => a.startedAt - b.startedAt),
    ({ region }) => region,
  );
  const places = new Map<string, number>();
  return (region, dueAt) => {
    const own = byRegion.get(region) ?? [];
    let place = places.get(region) ?? 0;
    while ((own[place]?.startedAt ?? dueAt) < dueAt) place += 1;
    places.set(region, place);
    const next = own[place];
    if (next === undefined || next.outcome === 'unknown') return null;
    const aheadMs = next.startedAt - dueAt;
    const takesItsPlace = aheadMs < (config.confirmMs ?? 0) / 2;
    return takesItsPlace || aheadMs > 2 * config.intervalMs ? null : { ...next, startedAt: dueAt };
  };
}

/** The next check off the grid that is due by `now`, and that can be estimated; null without one. */
export function nextEstimated(
  { confirmation, regions }: MonitorState,
  estimate: Estimate,
  now: number,
): StoredCheck | null {
  const due = Object.entries(confirmation?.regions ?? {}).flatMap(([region, { dueAt }]) => {
    if (dueAt === null || dueAt > now) return [];
    const hasBegunSince = dueAt <= (regions[region]?.startedAt ?? 0);
    return (hasBegunSince ? null : estimate(region, dueAt)) ?? [];
  });
  return due.reduce<StoredCheck | null>(
    (first, check) => (first === null || check.startedAt < first.startedAt ? check : first),
    null,
  );
}

/**
 * The checks without those that the schedule of a configuration would not have made: of a region, those nearer to the one before than
 * half of what is between two of its checks.
 */
export function thinChecks(
  { confirmMs, intervalMs }: StateConfig,
  checks: readonly StoredCheck[],
): StoredCheck[] {
  const last = new Map<string, number>();
  return checks.filter(({ region, startedAt }) => {
    if (startedAt - (last.get(region) ?? Number.NEGATIVE_INFINITY) < (confirmMs ?? intervalMs) / 2)
      return false;
    last.set(region, startedAt);
    return true;
  });
}
