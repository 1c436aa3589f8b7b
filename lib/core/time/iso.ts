/** Lists have thousands of times, and to construct a date costs more than to format it, above all in Next. */
const date = new Date(0);

/** Epoch milliseconds as ISO 8601 in UTC; null for null. */
export function toIso(ms: number | null): string | null {
  if (ms === null) return null;
  date.setTime(ms);
  return date.toISOString();
}
