/**
 * Local times. A wall time is a number of milliseconds whose UTC fields are the local time: 02:30 in Berlin is the number for
 * 02:30 UTC. Adding days to it ignores daylight saving changes.
 */

import { dateFormat } from './date-format';

const DAY = 86_400_000;

/** Whether a text is a time zone such as `Europe/Berlin`. Offsets are not, because they have no daylight saving time. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The local time of `zone` at an instant (epoch milliseconds), as a wall time. */
export function wallTime(instant: number, zone: string): number {
  return instant + offsetAt(instant, zone);
}

/**
 * The instant of a wall time in `zone`: the first of two when clocks go back. A skipped time moves past the change, 02:30
 * becoming 03:30 (RFC 5545, 3.3.5).
 */
export function instantOf(wall: number, zone: string): number {
  const before = wall - offsetAt(wall - DAY, zone);
  const after = wall - offsetAt(wall + DAY, zone);
  const showing = [before, after].filter((instant) => wallTime(instant, zone) === wall);
  return showing.length > 0 ? Math.min(...showing) : before;
}

/** The value of a `datetime-local` input for an instant (epoch milliseconds) in `zone`; empty if it is not a number. */
export function wallText(instant: number, zone: string): string {
  return Number.isNaN(instant) ? '' : new Date(wallTime(instant, zone)).toISOString().slice(0, 16);
}

/** The ISO instant of the value of a `datetime-local` input in `zone`; empty for any other text. */
export function instantText(wall: string, zone: string): string {
  const time = Date.parse(`${wall}Z`);
  return Number.isNaN(time) ? '' : new Date(instantOf(time, zone)).toISOString();
}

/** The UTC offset of `zone` at an instant, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(instant);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(
    read('year'),
    read('month') - 1,
    read('day'),
    read('hour'),
    read('minute'),
    read('second'),
  );
  return shown - Math.floor(instant / 1000) * 1000;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  return dateFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}
