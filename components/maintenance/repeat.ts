import { formatClock, formatDay } from '@/components/ui/time/format-local';
import { dateFormat } from '@/lib/core/time/date-format';

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

/** `Sun, Mar 21, 2027, 02:00 – 04:00` in a time zone, with the second day if it differs. Takes ISO 8601. */
export function formatSpan(startsAt: string, endsAt: string, timeZone: string): string {
  const [start, end] = [new Date(startsAt), new Date(endsAt)];
  const isSameDay = formatWeekday(start, timeZone) === formatWeekday(end, timeZone);
  const until = isSameDay ? formatClock(end, timeZone) : formatInstant(end, timeZone);
  return `${formatInstant(start, timeZone)} – ${until}`;
}

/** `Sun, Mar 21, 2027, 02:00` in a time zone. */
export function formatInstant(at: Date, timeZone: string): string {
  return `${formatWeekday(at, timeZone)}, ${formatClock(at, timeZone)}`;
}

function formatWeekday(at: Date, timeZone: string): string {
  const weekday = dateFormat('en-US', { weekday: 'short', timeZone }).format(at);
  return `${weekday}, ${formatDay(at, timeZone, true)}`;
}
