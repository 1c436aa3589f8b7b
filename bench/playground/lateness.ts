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
                    AND checked_at >= ${from}::timestamptz - interval '1 second' ORDER BY checked_at) AS "checkedAt"
      FROM monitor JOIN probe_schedule AS schedule ON schedule.monitor_id = monitor.id
     WHERE monitor.enabled`;
  const slots: Slot[] = [];
  for (const { url, interval, phase, checkedAt } of rows) {
    const step = interval * 1000;
    const offset = Math.floor((phase * step) / PHASES);
    const firstSlot = Math.ceil((from.getTime() - offset) / step) * step + offset;
    for (let slot = firstSlot; slot < until.getTime(); slot += step) {
      const own = checkedAt.filter(
        (at) => at >= slot - CLOCK_TOLERANCE_MS && at < slot + step - CLOCK_TOLERANCE_MS,
      );
      slots.push({ url, dueAt: slot, checkedAt: own });
    }
  }
  return slots;
}
