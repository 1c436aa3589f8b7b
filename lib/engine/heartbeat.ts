import type { Services } from '@/lib/context/services';
import { createId } from '@/lib/core/ids';
import type { Logger } from '@/lib/core/logger';

const BEAT_MS = 5000;
/** A worker that was not seen for so long is taken for dead. */
const FRESH_MS = 20_000;
const FORGET_MS = 86_400_000;

/**
 * Says every five seconds that this worker lives, so that health and the other workers know. Answers how to stop, which
 * also takes the row away.
 */
export async function startHeartbeat(
  { db, clock }: Services,
  regions: readonly string[],
  log: Logger,
): Promise<() => Promise<void>> {
  const id = createId('worker');
  const startedAt = clock.now();
  await db.worker.deleteMany({ where: { seenAt: { lt: new Date(startedAt.getTime() - FORGET_MS) } } });
  const beat = async () => {
    const seenAt = clock.now();
    const worker = { regions: [...regions], startedAt, seenAt };
    await db.worker.upsert({ where: { id }, create: { id, ...worker }, update: { seenAt } });
  };
  await beat();
  const timer = setInterval(() => {
    beat().catch((error: unknown) => log.warn({ error }, 'the heartbeat could not be written'));
  }, BEAT_MS);
  return async () => {
    clearInterval(timer);
    await db.worker.deleteMany({ where: { id } });
  };
}

/** Whether some worker was seen lately. */
export async function isEngineAlive({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<boolean> {
  const since = new Date(clock.now().getTime() - FRESH_MS);
  return (await db.worker.count({ where: { seenAt: { gt: since } } })) > 0;
}
