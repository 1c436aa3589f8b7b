import type { Span } from '@/lib/domain/monitors/history/uptime';

/** A month of UTC days: `2026-11`. Such strings sort chronologically. */
export type Month = string;
/** A quarter of UTC days: `2026-Q4`. */
export type Quarter = string;

const MONTHS_OF_A_QUARTER = 3;

export function monthOf(at: Date): Month {
  return at.toISOString().slice(0, 7);
}

/** The first moment of a month. */
export function startOf(month: Month): Date {
  return new Date(`${month}-01T00:00:00Z`);
}

export function shiftMonth(month: Month, by: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + by)));
}

/** A month, the current one up to now. */
export function spanOf(month: Month, now: Date): Span {
  return spanFrom(month, 1, now);
}

/** The `count` months up to `last`, newest first, without those before `first`. */
export function listMonths(first: Month, last: Month, count: number): Month[] {
  return Array.from({ length: count }, (_, back) => shiftMonth(last, -back)).filter(
    (month) => month >= first,
  );
}

type Bounds = { first: Month; now: Date; since: Date };

/** The quarters up to that of `now`, which ends there, newest first: those with months from `first` on that start after `since`. */
export function listQuarters({ first, now, since }: Bounds): { name: Quarter; span: Span }[] {
  const quarters: { name: Quarter; span: Span }[] = [];
  for (let month = firstOfQuarter(monthOf(now)); shiftMonth(month, MONTHS_OF_A_QUARTER) > first; ) {
    if (startOf(month) < since) break;
    quarters.push({ name: quarterOf(month), span: spanFrom(month, MONTHS_OF_A_QUARTER, now) });
    month = shiftMonth(month, -MONTHS_OF_A_QUARTER);
  }
  return quarters;
}

function quarterOf(month: Month): Quarter {
  const [year, number = 1] = month.split('-').map(Number);
  return `${year}-Q${Math.ceil(number / MONTHS_OF_A_QUARTER)}`;
}

function firstOfQuarter(month: Month): Month {
  const number = Number(month.slice(5));
  return shiftMonth(month, -((number - 1) % MONTHS_OF_A_QUARTER));
}

function spanFrom(month: Month, months: number, now: Date): Span {
  const end = startOf(shiftMonth(month, months));
  return { since: startOf(month), until: new Date(Math.min(end.getTime(), now.getTime())) };
}
