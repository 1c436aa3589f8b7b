/** The named recurrence rules of the form. */
export const REPEATS = [
  { value: 'once', label: 'Does not repeat', rrule: null, text: 'Once' },
  { value: 'daily', label: 'Daily', rrule: 'FREQ=DAILY', text: 'Daily' },
  { value: 'weekly', label: 'Weekly', rrule: 'FREQ=WEEKLY', text: 'Weekly' },
  { value: 'monthly', label: 'Monthly', rrule: 'FREQ=MONTHLY', text: 'Monthly' },
] as const;

/** The form's choice for any other rule. */
export const CUSTOM = 'custom';

/** The form's choice for a rule. */
export function repeatOf(rrule: string | null): string {
  return REPEATS.find((repeat) => repeat.rrule === rrule)?.value ?? CUSTOM;
}

/** The name of a rule, or the rule itself. */
export function formatRepeat(rrule: string | null): string {
  return REPEATS.find((repeat) => repeat.rrule === rrule)?.text ?? rrule ?? '';
}

/** `Sun, 21 Mar 2027, 02:00 – 04:00` in a time zone, with the second day if it differs. Takes ISO 8601. */
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
