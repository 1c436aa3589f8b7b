import type { Services } from '@/lib/context/services';
import type { Logger } from '@/lib/core/logger';
import { releaseClaimsOfDead } from './release-claims';

const BEAT_MS = 3000;
/** A worker that was not seen for so long is taken for dead, and its claims are given back. */
const FRESH_MS = 12_000;

export type Heartbeat = {
  /** Says since when this worker is cut off from the network; null: it is not. */
  tellCutOff(since: Date | null): void;
  /** Says since when Inngest has not woken this worker, which wakes itself meanwhile; null: it does, or is not to. */
  tellSilence(since: Date | null): void;
  /** Stops beating, and takes the worker's row away. */
  stop(): Promise<void>;
};

/**
 * Says every three seconds that this worker lives, so that health and the other workers know, and buries those that do
 * not: what they had claimed is due again at once, instead of when their leases end.
 */
export async function startHeartbeat(
  services: Services,
  { workerId: id, regions, log }: { workerId: string; regions: readonly string[]; log: Logger },
): Promise<Heartbeat> {
  const { db, clock } = services;
  const startedAt = clock.now();
  let cutOffAt: Date | null = null;
  let inngestSilentSince: Date | null = null;
  const beat = async () => {
    const seenAt = clock.now();
    const update = { seenAt, cutOffAt, inngestSilentSince };
    const create = { id, regions: [...regions], startedAt, ...update };
    await db.worker.upsert({ where: { id }, create, update });
    await releaseClaimsOfDead(services, new Date(seenAt.getTime() - FRESH_MS));
  };
  const beatQuietly = () =>
    beat().catch((error: unknown) => log.warn({ err: error }, 'the heartbeat could not be written'));
  await beat();
  const timer = setInterval(beatQuietly, BEAT_MS);
  return {
    tellCutOff: (since) => {
      cutOffAt = since;
      void beatQuietly();
    },
    tellSilence: (since) => {
      if (since?.getTime() === inngestSilentSince?.getTime()) return;
      inngestSilentSince = since;
      void beatQuietly();
    },
    stop: async () => {
      clearInterval(timer);
      await db.worker.deleteMany({ where: { id } });
    },
  };
}

/** Whether some worker was seen lately, and since when the first of them has had to wake itself; null: none has. */
export async function readEngineHealth({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): Promise<{ isAlive: boolean; inngestSilentSince: Date | null }> {
  const since = new Date(clock.now().getTime() - FRESH_MS);
  const workers = await db.worker.findMany({
    where: { seenAt: { gt: since } },
    select: { inngestSilentSince: true },
    orderBy: { inngestSilentSince: { sort: 'asc', nulls: 'last' } },
    take: 1,
  });
  return { isAlive: workers.length > 0, inngestSilentSince: workers[0]?.inngestSilentSince ?? null };
}
