import { invalidState } from '@/lib/core/errors';
import { endOfOverlap } from '@/lib/schemas/token';

/** Precision of `lastUsedAt`: a write per request would cost too much. */
const LAST_USED_PRECISION_MS = 60_000;

/** What ends a key or token. */
type Ends = { revokedAt: Date | null; expiresAt: Date | null };

/** Whether a key or token is valid: neither revoked nor expired. */
export function isLive({ revokedAt, expiresAt }: Ends, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/**
 * When a key or token that is replaced stops being valid: after the overlap, or earlier if it was due to. Throws VALIDATION_ERROR for
 * one that is not valid anymore.
 */
export function endOfReplaced(noun: 'key' | 'token', old: Ends, overlapHours: number, now: Date): Date {
  if (!isLive(old, now)) throw invalidState(`This ${noun} is revoked or expired. Create a new one instead.`);
  return endOfOverlap(old.expiresAt, overlapHours, now);
}

/** Whether a use at `now` is written down: at most once a minute. */
export function isUseNoted(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > LAST_USED_PRECISION_MS;
}

type Times = Ends & { createdAt: Date; lastUsedAt: Date | null };

/** The times of a key or token as the API returns them. */
export function serializeTimes({ createdAt, expiresAt, lastUsedAt, revokedAt }: Times) {
  return {
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
