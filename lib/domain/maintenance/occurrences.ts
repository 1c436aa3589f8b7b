import { RRuleTemporal } from 'rrule-temporal';
import { instantOf, wallTime } from '@/lib/core/zoned-time';

/** When a window is: its first occurrence, and how it repeats by the clocks of a zone. */
export type Schedule = { startsAt: Date; endsAt: Date; rrule: string | null; timeZone: string };

export type Occurrence = { startsAt: Date; endsAt: Date };

/** How many periods of a rule are looked at before it is given up: decades, and a tenth of a second at the worst. */
const MAX_PERIODS: Record<string, number> = {
  YEARLY: 100,
  MONTHLY: 600,
  WEEKLY: 1000,
  DAILY: 8000,
  HOURLY: 3000,
};
/** A clock that is turned moves an occurrence by at most this. */
const MAX_TURNED_MS = 2 * 3_600_000;

/**
 * The first occurrence that ends after a moment: the current or the next one. Null where there is none, or none that could
 * be found (a rule that asks for February 30). The first is where the window starts, whether its rule names that moment or
 * not; all last equally long.
 */
export function nextOccurrence(schedule: Schedule, after: Date): Occurrence | null {
  const { startsAt, endsAt, rrule } = schedule;
  if (endsAt > after) return { startsAt, endsAt };
  if (rrule === null) return null;
  const { rule, toInstant } = readRule(schedule, rrule);
  const duration = endsAt.getTime() - startsAt.getTime();
  let cursor = new Date(wallTime(after.getTime() - duration, schedule.timeZone) - MAX_TURNED_MS);
  try {
    for (let next = rule.next(cursor); next !== null; next = rule.next(cursor)) {
      const start = toInstant(next.epochMilliseconds);
      if (start + duration > after.getTime()) return lasting(start, duration);
      cursor = new Date(next.epochMilliseconds);
    }
  } catch {
    // It found nothing within its limits.
  }
  return null;
}

/** The first occurrences from the start on, at most `limit`; fewer where no more could be found. */
export function listOccurrences(schedule: Schedule, limit: number): Occurrence[] {
  const { startsAt, endsAt, rrule } = schedule;
  if (rrule === null) return [{ startsAt, endsAt }];
  const { rule, toInstant } = readRule(schedule, rrule);
  const duration = endsAt.getTime() - startsAt.getTime();
  const found: Occurrence[] = [];
  try {
    rule.all((next) => {
      const occurrence = lasting(toInstant(next.epochMilliseconds), duration);
      // Of an hourly rule, what was moved past a change of the clocks falls on the next.
      if (occurrence.startsAt.getTime() !== found.at(-1)?.startsAt.getTime()) found.push(occurrence);
      return found.length < limit;
    });
  } catch {
    // It found no more within its limits.
  }
  return found;
}

function lasting(start: number, duration: number): Occurrence {
  return { startsAt: new Date(start), endsAt: new Date(start + duration) };
}

/**
 * The rule, counted in wall times as if they were UTC: a time that the clocks skip is then not left out, as the library
 * would, but moved past the change, for the work of that night is done all the same.
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
  // The start is exact, also where the clocks show it twice.
  const toInstant = (wall: number) => (wall === startWall ? start : instantOf(wall, timeZone));
  return { rule, toInstant };
}

/** UNTIL as a wall time: an instant with a Z, by the clocks of the zone without, a date to its end. */
function readUntil(rrule: string, timeZone: string): number | null {
  const [, year, month, day, hour = '23', minute = '59', second = '59', utc = ''] =
    /UNTIL=(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?/.exec(rrule) ?? [];
  if (day === undefined) return null;
  const [y, mo, d, h, m, s] = [year, month, day, hour, minute, second].map(Number);
  const wall = Date.UTC(y ?? 0, (mo ?? 1) - 1, d, h, m, s, 999);
  return utc === 'Z' ? wallTime(wall, timeZone) : wall;
}

/** A wall time as the library takes it. */
function inUtc(wall: number) {
  return { timeZoneId: 'UTC', toString: () => `${new Date(wall).toISOString()}[UTC]` };
}
