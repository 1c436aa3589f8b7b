import type { Services } from '@/lib/context/services';
import { readEngineHealth } from '@/lib/engine/heartbeat';

/** What the service needs to do its work. */
export type Health =
  | { status: 'ok'; inngest?: { silentSince: string } }
  | { status: 'unavailable'; missing: ('database' | 'engine')[] };

const DATABASE_PATIENCE_MS = 3000;

/**
 * Asks the database whether it answers and whether a worker was seen lately; answers within three seconds. A silent Inngest
 * is told, and is no reason to be unavailable: the workers wake themselves.
 */
export async function readHealth(services: Pick<Services, 'db' | 'clock'>): Promise<Health> {
  const tooLate = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('the database does not answer')), DATABASE_PATIENCE_MS).unref();
  });
  try {
    const engine = await Promise.race([readEngineHealth(services), tooLate]);
    if (!engine.isAlive) return { status: 'unavailable', missing: ['engine'] };
    const silentSince = engine.inngestSilentSince?.toISOString();
    return { status: 'ok', ...(silentSince === undefined ? {} : { inngest: { silentSince } }) };
  } catch {
    return { status: 'unavailable', missing: ['database', 'engine'] };
  }
}
