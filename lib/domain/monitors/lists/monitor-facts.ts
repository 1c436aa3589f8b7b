import { LRUCache } from 'lru-cache';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { MonitorStatus, PeriodState } from '@/lib/platform/db/generated/enums';
import { toMs } from '@/lib/platform/db/moment-columns';
import { isRegionId, type RegionId } from '@/lib/schemas/regions';
import type { Sums } from '../history/past-sums';
import { IS_PROBED, jsonNumber } from '../last-checks';
import { type CurrentRow, currentQuery, parseCurrent, ROW_VERSION, type SeenCheck } from './current-query';

/** What the rows of a monitor, its state and its current period say. It is shared: read only. Moments are epoch milliseconds. */
export type Facts = {
  id: string;
  /** The version of the row of the monitor. */
  rowVersion: string;
  enabled: boolean;
  isProbed: boolean;
  intervalMs: number;
  timeoutMs: number;
  regions: readonly RegionId[];
  status: MonitorStatus;
  consecutiveFailures: number;
  isInMaintenance: boolean;
  isCorrected: boolean;
  /** Earlier checks do not count. Null for a damaged state. */
  roundSince: number | null;
  /** The last check that was decided about. */
  decided: { at: number; responseTime: number | null } | null;
  /** The current period, with the known time and downtime before it. */
  period: (Sums & { state: PeriodState; from: number }) | null;
};

/** The facts of a monitor, its latest conclusive checks, newest first, and how many in a row have failed if the facts do not know. */
export type Known<Row> = { row: Row; facts: Facts; seen: readonly SeenCheck[]; failures: number | null };

const FACTS = Prisma.sql`
  json_build_object(
    'id', monitor.id, 'rowVersion', ${ROW_VERSION}, 'enabled', monitor.enabled, 'isProbed', ${IS_PROBED},
    'intervalMs', monitor.interval * 1000, 'timeoutMs', monitor.timeout * 1000, 'regions', monitor.regions,
    'status', coalesce(state.status, 'pending'),
    'consecutiveFailures', coalesce(state.consecutive_failures, 0),
    'isInMaintenance', monitor.enabled AND state.status_before_maintenance IS NOT NULL,
    'isCorrected', coalesce(state.is_corrected, false), 'roundSince', ${jsonNumber(Prisma.sql`state.machine->'since'`)},
    'decided', CASE WHEN state.last_checked_at IS NOT NULL THEN
                 json_build_object('at', ${toMs(Prisma.sql`state.last_checked_at`)},
                                   'responseTime', state.last_response_time) END,
    'period', CASE WHEN current.id IS NOT NULL THEN
                json_build_object('state', current.state, 'from', ${toMs(Prisma.sql`current.from_at`)},
                                  'known', current.known_before, 'down', current.down_before) END)`;

/** Some hundred bytes each. Limited by size, because `max` would allocate a list of that length. */
const MAX_REMEMBERED = 100_000;
const remembered = createMemory(MAX_REMEMBERED);

/** Facts by monitor ID, with their version: the most recently used `max`. */
export function createMemory(max: number): LRUCache<string, { version: string; facts: Facts }> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
}

/**
 * What is known about the monitors of `rows`, in their order: from memory where this version of their rows was read before, since states and
 * periods change much less often than they are read. At most one query; monitors that were deleted meanwhile are left out.
 */
export async function readFacts<Row extends CurrentRow>(
  db: Pick<Database, '$queryRaw'>,
  rows: readonly Row[],
  now: Date,
): Promise<Known<Row>[]> {
  const missing: string[] = [];
  const known = rows.map((row) => {
    const { version, seen, failures } = parseCurrent(row.current);
    const found = remembered.get(row.id);
    if (found?.version === version) return { row, facts: found.facts, seen, failures };
    missing.push(row.id);
    return null;
  });
  const read = missing.length === 0 ? new Map<string, Read>() : await readAgain(db, missing, now);
  return known.flatMap((each, place) => {
    const row = rows[place];
    const again = row && read.get(row.id);
    return each ?? (again ? [{ row, ...again }] : []);
  });
}

type Read = Omit<Known<unknown>, 'row'>;

async function readAgain(
  db: Pick<Database, '$queryRaw'>,
  ids: string[],
  now: Date,
): Promise<Map<string, Read>> {
  const columns = { facts: FACTS };
  const where = Prisma.sql`monitor.id = ANY(${ids})`;
  const rows = await db.$queryRaw<(CurrentRow & { facts: Facts })[]>(currentQuery({ columns, where }, now));
  return new Map(
    rows.map(({ id, current, facts: { regions, ...rest } }) => {
      const { version, seen, failures } = parseCurrent(current);
      const facts = { ...rest, regions: regions.filter(isRegionId) };
      remembered.set(id, { version, facts });
      return [id, { facts, seen, failures }];
    }),
  );
}
