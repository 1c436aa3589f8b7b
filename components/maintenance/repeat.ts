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
