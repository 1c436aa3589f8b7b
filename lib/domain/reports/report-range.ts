import { invalidField } from '@/lib/core/errors';
import { instantOf, wallTime } from '@/lib/core/time/zoned-time';
import { LEDGER_DAYS } from '@/lib/schemas/monitor/transition';
import type { ReportQuery } from '@/lib/schemas/reports/report';

const DAY = 86_400_000;

/** Whole days of a time zone. What is counted ends at `until`, which is at most now. */
export type ReportRange = { from: Date; to: Date; until: Date };

/**
 * The time that a report covers: a month, some days, or the last month that has ended. Days begin and end as clocks show them, so one can
 * have 23 or 25 hours. Throws VALIDATION_ERROR for days that contradict each other, in the wrong order, in the future, or more than 400
 * days ago.
 */
export function reportRange(
  { month, from, to, timeZone }: Pick<ReportQuery, 'month' | 'from' | 'to' | 'timeZone'>,
  now: Date,
): ReportRange {
  if (month !== undefined && from !== undefined)
    throw invalidField('month', 'must not be combined with from');
  if (from === undefined && to !== undefined) throw invalidField('from', 'must be given with to');
  const today = startOfDay(wallTime(now.getTime(), timeZone));
  const [first, last] =
    from === undefined
      ? daysOfMonth(month ?? monthBefore(today))
      : [Date.parse(from), to === undefined ? today - DAY : Date.parse(to)];
  const field = from === undefined ? 'month' : 'from';
  if (first > today) throw invalidField(field, 'must not be in the future');
  if (last < first) throw invalidField(to === undefined ? 'from' : 'to', 'must not be before the first day');
  if (today - first > LEDGER_DAYS * DAY)
    throw invalidField(field, `must be within the last ${LEDGER_DAYS} days`);
  const [start, end] = [instantOf(first, timeZone), instantOf(last + DAY, timeZone)];
  return { from: new Date(start), to: new Date(end), until: new Date(Math.min(end, now.getTime())) };
}

/** The month before that of a wall time: `2026-10`. */
export function monthBefore(wall: number): string {
  const date = new Date(wall);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)).toISOString().slice(0, 7);
}

/** The first and last day of a month, as wall times. */
function daysOfMonth(month: string): [first: number, last: number] {
  const first = new Date(`${month}-01`);
  return [first.getTime(), Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1) - DAY];
}

function startOfDay(wall: number): number {
  return Math.floor(wall / DAY) * DAY;
}
