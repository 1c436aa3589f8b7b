/** The rules that the form offers by name; every other is written out. */
export const REPEATS = [
  { value: 'once', label: 'Does not repeat', rrule: null, says: 'Once' },
  { value: 'daily', label: 'Daily', rrule: 'FREQ=DAILY', says: 'Daily' },
  { value: 'weekly', label: 'Weekly', rrule: 'FREQ=WEEKLY', says: 'Weekly' },
  { value: 'monthly', label: 'Monthly', rrule: 'FREQ=MONTHLY', says: 'Monthly' },
] as const;

/** The name of the form's last choice, a rule of one's own. */
export const CUSTOM = 'custom';

/** What the form chooses for a rule. */
export function repeatOf(rrule: string | null): string {
  return REPEATS.find((repeat) => repeat.rrule === rrule)?.value ?? CUSTOM;
}

/** A rule in a word where there is one, as it is otherwise. */
export function sayRepeat(rrule: string | null): string {
  return REPEATS.find((repeat) => repeat.rrule === rrule)?.says ?? rrule ?? '';
}

/**
 * From when to when, by the clocks of a zone: `Sun, 21 Mar 2027, 02:00 – 04:00`, with the second day where it is another.
 * Both moments in ISO 8601.
 */
export function formatSpan(startsAt: string, endsAt: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const [start, end] = [splitMoment(format, startsAt), splitMoment(format, endsAt)];
  const until = start.day === end.day ? end.time : `${end.day}, ${end.time}`;
  return `${start.day}, ${start.time} – ${until}`;
}

function splitMoment(format: Intl.DateTimeFormat, at: string): { day: string; time: string } {
  const parts = Object.fromEntries(
    format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]),
  );
  return {
    day: `${parts.weekday}, ${parts.day} ${parts.month} ${parts.year}`,
    time: `${parts.hour}:${parts.minute}`,
  };
}
