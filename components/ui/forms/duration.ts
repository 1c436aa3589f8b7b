/** Units of a duration, smallest first, in seconds. */
const UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;

export type DurationUnit = keyof typeof UNITS;

/** A duration of the form: its number, and its unit. */
export type TypedDuration = { amount: string; unit: DurationUnit };

/** Seconds as the two inputs of a duration submit them, in the largest unit without a fraction: `90,minutes`. */
export function showDuration(seconds: number): string {
  const unit = listUnits().findLast((each) => seconds % UNITS[each] === 0) ?? 'seconds';
  return seconds === 0 ? '0,minutes' : `${seconds / UNITS[unit]},${unit}`;
}

/** What is in the inputs of a duration. */
export function splitDuration(typed: string): TypedDuration {
  const at = typed.lastIndexOf(',');
  const unit = listUnits().find((each) => each === typed.slice(at + 1));
  return unit === undefined
    ? { amount: typed.trim(), unit: 'minutes' }
    : { amount: typed.slice(0, at).trim(), unit };
}

/** The seconds of a duration; text that is not a number stays text. */
export function readDuration(typed: string): number | string {
  const { amount, unit } = splitDuration(typed);
  if (!/^-?\d+(\.\d+)?$/.test(amount)) return amount;
  // Without what floating point adds to tenths of an hour.
  return Number((Number(amount) * UNITS[unit]).toFixed(3));
}

/** Units to choose from: seconds only where they are needed. */
export function listUnits(current?: DurationUnit): DurationUnit[] {
  const all = Object.keys(UNITS) as DurationUnit[];
  return current === undefined || current === 'seconds' ? all : all.filter((unit) => unit !== 'seconds');
}
