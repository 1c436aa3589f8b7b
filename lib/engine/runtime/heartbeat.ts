import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { recordPresence } from '@/lib/domain/monitors/silence';
import type { WorkerDuties } from '@/lib/platform/db/generated/client';
import { releaseClaimsOfDead } from './release-claims';

const BEAT_MS = 3000;
/** A worker that was not seen for so long is taken for dead, and its claims are given back. */
const FRESH_MS = 12_000;
/** After so long without a heartbeat of one's own, others are given time to be seen again. */
const MISSED_MS = 2 * BEAT_MS;
/** A heartbeat that takes longer is not waited for: its connection may be dead, and the next one has another. */
const HUNG_MS = 10_000;

export type Heartbeat = {
  /** Says since when this worker is cut off from the network; null: it is not. */
  tellCutOff(since: Date | null): void;
  /** Says since when Inngest has not woken this worker, which wakes itself meanwhile; null: it does, or is not to. */
  tellSilence(since: Date | null): void;
  /**
   * Reads at each heartbeat for how many milliseconds the oldest result or attempt that is not stored has been
   * finished; null: none is.
   */
  reportPending(oldestPendingMs: () => number | null): void;
  /** Writes a heartbeat now, besides those every three seconds. */
  beat(): Promise<void>;
  /** Stops beating, and takes the worker's row away. */
  stop(): Promise<void>;
};

type HeartbeatOptions = {
  workerId: string;
  regions: readonly string[];
  duties?: WorkerDuties;
  log: Logger;
};

/**
 * Writes a heartbeat every three seconds, for health and the other workers, and records that its regions are served. Releases
 * the claims of dead workers: their checks are due again at once, instead of when their leases end.
 */
export async function startHeartbeat(
  services: Services,
  { workerId: id, regions, duties = 'all', log }: HeartbeatOptions,
): Promise<Heartbeat> {
  const { db, clock } = services;
  const startedAt = clock.now();
  let cutOffAt: Date | null = null;
  let inngestSilentSince: Date | null = null;
  let readPendingMs: () => number | null = () => null;
  let running: Promise<void> | null = null;
  let beatenAt = startedAt.getTime();
  let releasesFrom = Number.NEGATIVE_INFINITY;
  /** Where this worker could not write, such as while the database was unavailable, the others could not either. */
  const mayReleaseOthers = (now: number): boolean => {
    if (now - beatenAt > MISSED_MS) releasesFrom = now + FRESH_MS;
    beatenAt = now;
    return now >= releasesFrom;
  };
  const beat = async () => {
    const seenAt = clock.now();
    const pendingMs = readPendingMs();
    const pendingSince = pendingMs === null ? null : new Date(seenAt.getTime() - pendingMs);
    const update = { seenAt, cutOffAt, inngestSilentSince, pendingSince };
    const create = { id, regions: [...regions], duties, startedAt, ...update };
    await db.worker.upsert({ where: { id }, create, update });
    await recordPresence(services, { regions, duties });
    if (!mayReleaseOthers(seenAt.getTime())) return;
    await releaseClaimsOfDead(services, new Date(seenAt.getTime() - FRESH_MS));
  };
  const beatQuietly = () => {
    const beating = beat().catch((error: unknown) =>
      log.warn({ err: error }, 'the heartbeat could not be written'),
    );
    const hung = setTimeout(() => forget(beating), HUNG_MS);
    running = beating;
    void beating.finally(() => {
      clearTimeout(hung);
      forget(beating);
    });
  };
  const forget = (beating: Promise<void>) => {
    if (running === beating) running = null;
  };
  await beat();
  // While the database hangs, heartbeats must not take up the connections of those who would work.
  const timer = setInterval(() => running ?? beatQuietly(), BEAT_MS);
  return {
    beat,
    tellCutOff: (since) => {
      cutOffAt = since;
      beatQuietly();
    },
    tellSilence: (since) => {
      if (since?.getTime() === inngestSilentSince?.getTime()) return;
      inngestSilentSince = since;
      beatQuietly();
    },
    reportPending: (oldestPendingMs) => {
      readPendingMs = oldestPendingMs;
    },
    stop: async () => {
      clearInterval(timer);
      // One that is still being written would bring the row back.
      await running;
      await db.worker.deleteMany({ where: { id } });
    },
  };
}
