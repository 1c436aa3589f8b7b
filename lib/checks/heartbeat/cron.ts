import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';
import { isTimeZone } from '@/lib/core/time/zoned-time';

/** When a job runs: a cron expression of five fields, evaluated in a time zone (IANA name). */
export type CronSchedule = { cron: string; timeZone: string };

/** Parsing one costs as much as many evaluations. */
const parsed = new LRUCache<string, Cron>({
  max: 1000,
  memoMethod: (key) => {
    const [timezone = '', cron = ''] = key.split('\n');
    return new Cron(cron, { mode: '5-part', timezone });
  },
});

/** What is wrong with a cron expression, as a predicate; null if it is valid and names a time that exists. */
export function findCronProblem(cron: string): string | null {
  if (!/^\S+(\s+\S+){4}$/.test(cron))
    return 'must have five fields: minute, hour, day of month, month, day of week';
  try {
    const next = new Cron(cron, { mode: '5-part', timezone: 'UTC' }).nextRun(new Date(0));
    return next === null ? 'must name a time that exists' : null;
  } catch {
    return 'must be a valid cron expression, such as 30 3 * * MON-FRI';
  }
}

/**
 * The first run after a moment (epoch milliseconds); null if there is none. In the night of a change to daylight saving time, a run at
 * a skipped time happens at the change, and one at a repeated time once.
 */
export function nextRun({ cron, timeZone }: CronSchedule, after: number): number | null {
  if (!isTimeZone(timeZone)) return null;
  return parsed.memo(`${timeZone}\n${cron}`).nextRun(new Date(after))?.getTime() ?? null;
}
