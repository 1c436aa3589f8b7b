import type { Services } from '@/lib/context/services';
import { isEngineAlive } from '@/lib/engine/heartbeat';

/** What the service needs to do its work. */
export type Health = { status: 'ok' } | { status: 'unavailable'; missing: ('database' | 'engine')[] };

const DATABASE_PATIENCE_MS = 3000;

/** Asks the database whether it answers and whether a worker was seen lately; answers within three seconds. */
export async function readHealth(services: Pick<Services, 'db' | 'clock'>): Promise<Health> {
  const tooLate = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('the database does not answer')), DATABASE_PATIENCE_MS).unref();
  });
  try {
    const isAlive = await Promise.race([isEngineAlive(services), tooLate]);
    return isAlive ? { status: 'ok' } : { status: 'unavailable', missing: ['engine'] };
  } catch {
    return { status: 'unavailable', missing: ['database', 'engine'] };
  }
}
