import type { Clock } from '@/lib/core/clock';

/** Remembers ids for a while; when full it forgets the oldest. */
export type RecentIds = {
  /** Notes the id; true when it had already been noted within the time. */
  hasSeen(id: string): boolean;
};

/** `forMs`: how long an id is remembered. `atMost`: how many ids fit in memory. */
export function createRecentIds({
  clock,
  forMs,
  atMost,
}: {
  clock: Clock;
  forMs: number;
  atMost: number;
}): RecentIds {
  // All ids live equally long, so the order of insertion is the order of expiry.
  const expiries = new Map<string, number>();

  function forgetOld(now: number): void {
    for (const [id, expiresAt] of expiries) {
      if (expiresAt > now && expiries.size < atMost) return;
      expiries.delete(id);
    }
  }

  return {
    hasSeen(id) {
      const now = clock.now().getTime();
      if ((expiries.get(id) ?? 0) > now) return true;
      forgetOld(now);
      expiries.delete(id);
      expiries.set(id, now + forMs);
      return false;
    },
  };
}
