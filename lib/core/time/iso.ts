/** Epoch milliseconds as ISO 8601 in UTC; null for null. */
export function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
