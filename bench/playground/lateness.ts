import type { Database } from '@/lib/platform/db/client';
import { type Percentiles, percentiles } from './measure';

/** Milliseconds from when checks were due until they began, and how many slots have no check or several. */
export type Lateness = Percentiles & { slots: number; results: number; missed: number; doubled: number };

/** The clock of the engine follows PostgreSQL, so a correction may put a check slightly before its slot. */
const CLOCK_TOLERANCE_MS = 50;
const PHASES = 10_000;

type Row = { url: string; interval: number; phase: number; checkedAt: number[] };

/** When a monitor was due, in epoch milliseconds, and when its checks for that slot began. */
export type Slot = { url: string; dueAt: number; checkedAt: number[] };

/** Compares stored results with the schedules of monitors, for slots from `from` until before `until`. */
export async function measureLateness(db: Database, from: Date, until: Date): Promise<Lateness> {
  const delays: number[] = [];
  const counts = { slots: 0, results: 0, missed: 0, doubled: 0 };
  for (const { dueAt, checkedAt } of await readSlots(db, from, until)) {
    counts.slots += 1;
    counts.results += checkedAt.length;
    if (checkedAt.length === 0) counts.missed += 1;
    if (checkedAt.length > 1) counts.doubled += 1;
    for (const at of checkedAt) delays.push(Math.max(0, at - dueAt));
  }
  return { ...percentiles(delays), ...counts };
}

/** The slots of all monitors from `from` until before `until`, with the stored results of each. */
export async function readSlots(db: Database, from: Date, until: Date): Promise<Slot[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT monitor.url, monitor.interval, schedule.phase,
           array(SELECT (extract(epoch FROM checked_at) * 1000)::float8 FROM raw.check_result
                  WHERE check_result.monitor = monitor.number
                    AND checked_at >= ${from}::timestamptz - interval '2 seconds' * monitor.interval
                  ORDER BY checked_at) AS "checkedAt"
      FROM monitor JOIN probe_schedule AS schedule ON schedule.monitor_id = monitor.id
     WHERE monitor.enabled`;
  return rows.flatMap(({ url, interval, phase, checkedAt }) => {
    const step = interval * 1000;
    const grid = { step, offset: Math.floor((phase * step) / PHASES) };
    return assignChecks(checkedAt, grid, { from: from.getTime(), until: until.getTime() }).map((slot) => ({
      url,
      ...slot,
    }));
  });
}

/**
 * The slots of a grid from `from` until before `until`, with the checks that began for each; all in milliseconds. A check just before a
 * slot is an early one of it, unless the slot before has none: then it is that one's, late by nearly an interval. `checkedAt` is in
 * order, and begins an interval before `from`.
 */
export function assignChecks(
  checkedAt: readonly number[],
  { step, offset }: { step: number; offset: number },
  { from, until }: { from: number; until: number },
): Omit<Slot, 'url'>[] {
  const firstSlot = Math.ceil((from - offset) / step) * step + offset;
  const slots: Omit<Slot, 'url'>[] = [];
  for (let dueAt = firstSlot - step; dueAt < until + step; dueAt += step)
    slots.push({ dueAt, checkedAt: [] });
  for (const at of checkedAt) {
    const place = Math.floor((at + CLOCK_TOLERANCE_MS - firstSlot) / step) + 1;
    const isLate = slots[place] && at < slots[place].dueAt && slots[place - 1]?.checkedAt.length === 0;
    slots[isLate ? place - 1 : place]?.checkedAt.push(at);
  }
  return slots.slice(1, -1);
}
