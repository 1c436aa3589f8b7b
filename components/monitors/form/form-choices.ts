/** What the monitor form offers; the server reads it from the schema, so that the two cannot differ. */
export type FormChoices = {
  intervals: readonly number[];
  methods: readonly string[];
  regions: readonly { id: string; location: string; isInPlan: boolean }[];
};

/** What the fields of a form are drawn from. */
export type FieldsProps = { values: Record<string, string>; errors: Record<string, string> };

/** An interval in words. */
export function intervalText(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  return seconds === 60 ? '1 minute' : `${seconds / 60} minutes`;
}
