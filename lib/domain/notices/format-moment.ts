/** `2026-03-01 12:00 UTC`: readers sit in many time zones, and no mail knows which. */
export function formatMoment(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
