import type { ViewedDay } from '@/lib/domain/status-pages/read-page-view';

/** On a narrow screen the 90 days stand in rows of so many. */
export const NARROW_ROW = 30;

/** Days side by side that look alike and of which there is nothing to tell one by one; or a single day that has a story. */
export type DayRun = { isTroubled: boolean; days: [ViewedDay, ...ViewedDay[]] };

/** Whether something happened on a day. */
export function isTroubled({ status, downtime, incidents = 0 }: ViewedDay): boolean {
  return status === 'down' || status === 'degraded' || downtime > 0 || incidents > 0;
}

/** Days in their order as runs, none of which crosses the end of a narrow row. `days` fit in rows of `perRow`. */
export function listRuns(days: readonly ViewedDay[], perRow: number): DayRun[] {
  const runs: DayRun[] = [];
  for (const [index, day] of days.entries()) {
    const last = runs.at(-1);
    const isTold = isTroubled(day);
    const isNewRow = index % perRow === 0;
    if (last === undefined || isNewRow || isTold || last.isTroubled || last.days[0].status !== day.status) {
      runs.push({ isTroubled: isTold, days: [day] });
    } else last.days.push(day);
  }
  return runs;
}
