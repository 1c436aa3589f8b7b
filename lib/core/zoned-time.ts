/**
 * Clocks on walls. A wall time is a number of milliseconds whose UTC fields read as that clock does: 02:30 in Berlin is the
 * number that is 02:30 in UTC. Adding days to it never trips over a change of the clocks.
 */

const DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether a text names a time zone, such as `Europe/Berlin`. A bare offset is none: it knows of no change of the clocks. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** What the clocks of `zone` show at an instant (epoch milliseconds), as a wall time. */
export function wallTime(instant: number, zone: string): number {
  return instant + offsetAt(instant, zone);
}

/**
 * The instant at which the clocks of `zone` show a wall time: the first of two where they are turned back. A time that
 * they skip is as long after the change as it would have been, 02:30 becoming 03:30 (RFC 5545, 3.3.5).
 */
export function instantOf(wall: number, zone: string): number {
  const before = wall - offsetAt(wall - DAY, zone);
  const after = wall - offsetAt(wall + DAY, zone);
  const showing = [before, after].filter((instant) => wallTime(instant, zone) === wall);
  return showing.length > 0 ? Math.min(...showing) : before;
}

/** How far the clocks of `zone` are ahead of UTC at an instant, in milliseconds. */
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
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
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
  formats.set(zone, format);
  return format;
}
