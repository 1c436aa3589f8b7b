const UNIT_MS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
const DURATION = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/** Milliseconds of a duration as the SDK writes it (`1m30s`; nothing is zero), or null when it is not one. */
export function parseDuration(text: string): number | null {
  const match = DURATION.exec(text);
  if (!match) return null;
  return Object.values(UNIT_MS).reduce((sum, unitMs, i) => sum + Number(match[i + 1] ?? 0) * unitMs, 0);
}

/** Milliseconds from `now` that a sleep lasts: `until` is a duration or an ISO moment, null when neither. */
export function parseSleep(until: string, now: Date): number | null {
  return parseDuration(until) ?? msUntil(until, now);
}

/**
 * Milliseconds from `now` that a `Retry-After` header asks for (seconds or a date), null when absent or
 * unreadable.
 */
export function parseRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  return /^\d+$/.test(header) ? Number(header) * 1000 : msUntil(header, now);
}

function msUntil(moment: string, now: Date): number | null {
  const at = Date.parse(moment);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}

const BACKOFF_MS = [15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000, 2_400_000, 3_600_000];
const LONGEST_BACKOFF_MS = 7_200_000;

/**
 * The wait before trying again after the failed attempt `attempt` (0 is the first), spread by up to a tenth.
 */
export function backoffMs(attempt: number): number {
  return Math.round((BACKOFF_MS[attempt] ?? LONGEST_BACKOFF_MS) * (1 + Math.random() / 10));
}
