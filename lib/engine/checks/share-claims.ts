import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { releaseBatches } from '@/lib/engine/runtime/release-claims';
import { type ClaimedCheck, claimDueChecks, createBatch, type Share } from './claim-checks';
import { spreadOverdue } from './spread-overdue';

/** How this process claims the checks of one share, through failures and gaps. */
export type ShareClaims = {
  /** Claims at most `limit` due checks. Throws while the database is unavailable; nothing is lost by that. */
  claim(limit: number): Promise<ClaimedCheck[]>;
};

/** Looks at a schedule follow each other within about a second; after more than this without one, there was a gap. */
const GAP_MS = 1500;
/** A look that took so long has met a process or a database that stood still. */
const STOOD_STILL_MS = 3000;
/** A database that always takes so long is slow: to spread at each look would only make it slower. */
const STOOD_STILL_EVERY_MS = 30_000;

/** The claims of `share`, made as the worker `workerId`. Its first look is taken for the end of a gap. */
export function createShareClaims(
  { services, workerId, log }: { services: Services; workerId: string; log: Logger },
  share: Share,
): ShareClaims {
  const { clock } = services;
  const lost = new Set<string>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let stoodStill = false;
  let stoodStillAt = Number.NEGATIVE_INFINITY;

  /**
   * Makes the schedule fit to be claimed from: nothing is claimed by nobody, and nothing due at once that was due
   * long ago.
   */
  const recover = async (gapMs: number) => {
    const batches = [...lost];
    const region = share.region;
    if (batches.length > 0) await releaseBatches(services, { region, workerId, batches });
    for (const batch of batches) lost.delete(batch);
    const spread = await spreadOverdue(services, share);
    stoodStill = false;
    if (spread > 0) log.info({ ...share, gapMs, spread }, 'overdue checks were spread over time');
  };

  const claimBatch = async (limit: number): Promise<ClaimedCheck[]> => {
    const batch = createBatch();
    try {
      return await claimDueChecks(services, share, { limit, workerId, batch });
    } catch (error) {
      lost.add(batch);
      throw error;
    }
  };

  return {
    claim: async (limit) => {
      const startedAt = clock.now().getTime();
      const gapMs = Math.abs(startedAt - lookedAt);
      if (gapMs > GAP_MS || lost.size > 0 || stoodStill) await recover(gapMs);
      const claimed = limit > 0 ? await claimBatch(limit) : [];
      lookedAt = clock.now().getTime();
      if (lookedAt - startedAt > STOOD_STILL_MS && lookedAt - stoodStillAt > STOOD_STILL_EVERY_MS) {
        stoodStill = true;
        stoodStillAt = lookedAt;
      }
      return claimed;
    },
  };
}
