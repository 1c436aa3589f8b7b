import { RRuleTemporal } from 'rrule-temporal';
import { instantOf, wallTime } from '@/lib/core/time/zoned-time';

/** The schedule of a window: its first occurrence and how it recurs in the local time of a zone. */
export type Schedule = { startsAt: Date; endsAt: Date; rrule: string | null; timeZone: string };
export type Occurrence = { startsAt: Date; endsAt: Date };

/** How many periods of a rule are searched: decades, and at most a tenth of a second. */
const MAX_PERIODS: Record<string, number> = {
  YEARLY: 100,
  MONTHLY: 600,
  WEEKLY: 1000,
  DAILY: 8000,
  HOURLY: 3000,
};
/** A daylight saving change moves an occurrence by at most this. */
const MAX_SHIFT_MS = 2 * 3_600_000;

/**
 * The first occurrence that ends after a time: the current or the next one. Null if there is none or none was found (February
 * 30). The window's start is always the first occurrence, even if the rule does not match it; all have the same duration.
 */
export function nextOccurrence(schedule: Schedule, after: Date): Occurrence | null {
  const { startsAt, endsAt, rrule } = schedule;
  if (endsAt > after) return { startsAt, endsAt };
  if (rrule === null) return null;
  const { rule, toInstant } = readRule(schedule, rrule);
  const duration = endsAt.getTime() - startsAt.getTime();
  let cursor = new Date(wallTime(after.getTime() - duration, schedule.timeZone) - MAX_SHIFT_MS);
  try {
    for (let next = rule.next(cursor); next !== null; next = rule.next(cursor)) {
      const start = toInstant(next.epochMilliseconds);
      if (start + duration > after.getTime()) return lasting(start, duration);
      cursor = new Date(next.epochMilliseconds);
    }
  } catch {
    // Nothing found within the limits.
  }
  return null;
}

/** The first occurrences from the start, at most `limit`; fewer if no more were found. */
export function listOccurrences(schedule: Schedule, limit: number): Occurrence[] {
  const { startsAt, endsAt, rrule } = schedule;
  if (rrule === null) return [{ startsAt, endsAt }];
  const { rule, toInstant } = readRule(schedule, rrule);
  const duration = endsAt.getTime() - startsAt.getTime();
  const found: Occurrence[] = [];
  try {
    rule.all((next) => {
      const occurrence = lasting(toInstant(next.epochMilliseconds), duration);
      // In an hourly rule, an occurrence moved past a daylight saving change falls on the next one.
      if (occurrence.startsAt.getTime() !== found.at(-1)?.startsAt.getTime()) found.push(occurrence);
      return found.length < limit;
    });
  } catch {
    // No more found within the limits.
  }
  return found;
}

function lasting(start: number, duration: number): Occurrence {
  return { startsAt: new Date(start), endsAt: new Date(start + duration) };
}

/**
 * The rule in wall times as if they were UTC. A time skipped by a daylight saving change is moved past the change instead of
 * omitted, as the library would, because the work of that night still takes place.
 */
function readRule({ startsAt, timeZone }: Schedule, rrule: string) {
  const start = startsAt.getTime();
  const startWall = wallTime(start, timeZone);
  const until = readUntil(rrule, timeZone);
  const [, frequency = ''] = /FREQ=([A-Z]+)/.exec(rrule) ?? [];
  const rule = new RRuleTemporal({
    rruleString: rrule.replace(/(^|;)UNTIL=[^;]*/, '').replace(/^;/, ''),
    dtstart: inUtc(startWall),
    ...(until === null ? {} : { until: inUtc(until) }),
    includeDtstart: true,
    maxIterations: MAX_PERIODS[frequency] ?? 0,
    maxCandidateEvaluations: 50_000,
  });
  // The start is exact, even if that local time occurs twice.
  const toInstant = (wall: number) => (wall === startWall ? start : instantOf(wall, timeZone));
  return { rule, toInstant };
}

/** UNTIL as a wall time: UTC with a Z, local time without; a date includes the whole day. */
function readUntil(rrule: string, timeZone: string): number | null {
  const [, year, month, day, hour = '23', minute = '59', second = '59', utc = ''] =
    /UNTIL=(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?/.exec(rrule) ?? [];
  if (day === undefined) return null;
  const [y, mo, d, h, m, s] = [year, month, day, hour, minute, second].map(Number);
  const wall = Date.UTC(y ?? 0, (mo ?? 1) - 1, d, h, m, s, 999);
  return utc === 'Z' ? wallTime(wall, timeZone) : wall;
}

/** A wall time as the library expects it. */
function inUtc(wall: number) {
  return { timeZoneId: 'UTC', toString: () => `${new Date(wall).toISOString()}[UTC]` };
}
