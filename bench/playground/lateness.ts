import type { Database } from '@/lib/platform/db/client';
import { BUILT_IN_REGION_IDS, regionNumber } from '@/lib/schemas/regions';
import { type Grid, gridSlotAfter } from '@/lib/state/schedule-grid';
import { type Percentiles, percentiles } from './measure';

/** Milliseconds from when slots were due until their first checks began, and how many slots have no check or several. */
export type Lateness = Percentiles & { slots: number; results: number; missed: number; doubled: number };

/** The clock of the engine follows PostgreSQL, so a correction may put a check slightly before its slot. */
const CLOCK_TOLERANCE_MS = 50;

type Row = { url: string; interval: number; phase: number; checkedAt: number[] };

/** When a monitor was due, in epoch milliseconds, and when its checks for that slot began. */
export type Slot = { url: string; dueAt: number; checkedAt: number[] };

/** Compares stored results with the schedules of monitors, of an organization or of all, for slots from `from` until before `until`. */
export async function measureLateness(
  db: Database,
  from: Date,
  until: Date,
  organizationId: string | null = null,
): Promise<Lateness> {
  const delays: number[] = [];
  const counts = { slots: 0, results: 0, missed: 0, doubled: 0 };
  for (const { dueAt, checkedAt } of await readSlots(db, from, until, organizationId)) {
    counts.slots += 1;
    counts.results += checkedAt.length;
    if (checkedAt.length === 0) counts.missed += 1;
    if (checkedAt.length > 1) counts.doubled += 1;
    const [first] = checkedAt;
    if (first !== undefined) delays.push(Math.max(0, first - dueAt));
  }
  return { ...percentiles(delays), ...counts };
}

/** The slots of the monitors of an organization, or of all, from `from` until before `until`, with the stored results of each. */
export async function readSlots(
  db: Database,
  from: Date,
  until: Date,
  organizationId: string | null = null,
): Promise<Slot[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT monitor.url, monitor.interval, schedule.phase,
           array(SELECT (extract(epoch FROM checked_at) * 1000)::float8 FROM raw.check_result
                  WHERE check_result.monitor = monitor.number
                    AND check_result.region = place.number
                    AND checked_at >= ${from}::timestamptz - interval '2 seconds' * monitor.interval
                  ORDER BY checked_at) AS "checkedAt"
      FROM monitor
      JOIN probe_schedule AS schedule ON schedule.monitor_id = monitor.id
      JOIN unnest(${BUILT_IN_REGION_IDS}::text[], ${BUILT_IN_REGION_IDS.map(regionNumber)}::int[])
        AS place (region, number) USING (region)
     WHERE monitor.enabled AND (${organizationId}::text IS NULL OR monitor.organization_id = ${organizationId})`;
  const window = { from: from.getTime(), until: until.getTime() };
  return rows.flatMap(({ url, interval, phase, checkedAt }) =>
    assignChecks(checkedAt, { intervalMs: interval * 1000, phase }, window).map((slot) => ({ url, ...slot })),
  );
}

/**
 * The slots of a grid from `from` until before `until`, with the checks that began for each; all in milliseconds. A check just before a
 * slot is an early one of it, unless the slot before has none, and no other check is near: then it was late for that one by nearly an
 * interval. `checkedAt` is in order, and begins two intervals before `from`.
 */
export function assignChecks(
  checkedAt: readonly number[],
  { intervalMs, phase }: Grid,
  { from, until }: { from: number; until: number },
): Omit<Slot, 'url'>[] {
  const earliest = gridSlotAfter(from - 1, intervalMs, phase) - 2 * intervalMs;
  const slots: Omit<Slot, 'url'>[] = [];
  for (let dueAt = earliest; dueAt < until + intervalMs; dueAt += intervalMs) {
    slots.push({ dueAt, checkedAt: [] });
  }
  // What follows a late check waits for half an interval: see `slotAfterLate`.
  const apart = intervalMs / 2 - CLOCK_TOLERANCE_MS;
  for (const [index, at] of checkedAt.entries()) {
    const place = Math.floor((at + CLOCK_TOLERANCE_MS - earliest) / intervalMs);
    const [slot, before] = [slots[place], slots[place - 1]];
    const isAlone =
      at - (checkedAt[index - 1] ?? Number.NEGATIVE_INFINITY) >= apart &&
      (checkedAt[index + 1] ?? Number.POSITIVE_INFINITY) - at >= apart;
    const isLate = isAlone && slot !== undefined && at < slot.dueAt && before?.checkedAt.length === 0;
    (isLate ? before : slot)?.checkedAt.push(at);
  }
  return slots.slice(2, -1);
}
