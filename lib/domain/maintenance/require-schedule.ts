import { DomainError } from '@/lib/core/errors';
import { wallTime } from '@/lib/core/zoned-time';
import { listOccurrences, type Schedule } from './occurrences';

const HOUR = 3_600_000;
const MOST_MS = 31 * 24 * HOUR;
/** A rule is held to its first occurrences: a year of a weekly one. */
const LOOKED_AT = 100;

/**
 * Refuses (VALIDATION_ERROR, naming the field) a window that ends before it starts or lasts more than 31 days, and a rule
 * that never comes again, is denser than hourly, or comes again while the window still lasts.
 */
export function requireSchedule(schedule: Schedule): void {
  const duration = schedule.endsAt.getTime() - schedule.startsAt.getTime();
  if (duration <= 0) throw invalid('endsAt', 'must be after startsAt');
  if (duration > MOST_MS) throw invalid('endsAt', 'must be at most 31 days after startsAt');
  if (schedule.rrule === null) return;
  const starts = listOccurrences(byTheClocks(schedule), LOOKED_AT).map(({ startsAt }) => startsAt.getTime());
  if (starts.length < 2) throw invalid('rrule', 'never comes again after the start');
  const shortest = Math.min(...starts.slice(1).map((start, index) => start - (starts[index] ?? start)));
  if (shortest < HOUR) throw invalid('rrule', 'must not come more than once an hour');
  if (shortest < duration) throw invalid('rrule', 'must not come again before the window has ended');
}

/** The refusal of one field of a window. */
export function invalid(path: string, message: string): DomainError {
  return new DomainError('VALIDATION_ERROR', `The request is not valid: ${path}.`, [
    { path, code: 'invalid', message },
  ]);
}

/** The same in a zone that never changes its clocks: what is refused does not depend on the season. */
function byTheClocks({ startsAt, endsAt, rrule, timeZone }: Schedule): Schedule {
  const ahead = wallTime(startsAt.getTime(), timeZone) - startsAt.getTime();
  const shift = (at: Date) => new Date(at.getTime() + ahead);
  return { startsAt: shift(startsAt), endsAt: shift(endsAt), rrule, timeZone: 'UTC' };
}
