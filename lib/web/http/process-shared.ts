import type { Health } from '@/lib/engine/health/health';
import type { DatabaseClock } from '@/lib/platform/db/database-clock';
import type { LiveHub } from '@/lib/platform/live/hub';

/** What our server gives the routes of its process. */
type Shared = {
  clock: DatabaseClock;
  health: Health;
  liveHub: LiveHub;
  /** Waits until the cache holds no page older than the latest commit. */
  awaitCacheInvalidation(): Promise<void>;
};

/** Next has its own module instances in the same process, so a global passes these on. */
const shared = globalThis as typeof globalThis & { pharosShared?: Partial<Shared> };

/** Registers what the routes of this process use. */
export function shareWithRoutes(given: Partial<Shared>): void {
  shared.pharosShared = { ...shared.pharosShared, ...given };
}

/** The clock of this process, measured before the application handles requests; null where nothing was registered. */
export function getSharedClock(): DatabaseClock | null {
  return shared.pharosShared?.clock ?? null;
}

/** The health of this process, registered before the application handles requests. */
export function getHealth(): Health {
  if (!shared.pharosShared?.health) throw new Error('no health was registered in this process');
  return shared.pharosShared.health;
}

/** The hub of this process; null if there is none. */
export function getLiveHub(): LiveHub | null {
  return shared.pharosShared?.liveHub ?? null;
}

/**
 * Resolves when this process shows no page older than the latest commit. Every change by the API or the
 * dashboard waits for it, so that its author sees the result. Does nothing without a cache.
 */
export async function awaitCacheInvalidation(): Promise<void> {
  await shared.pharosShared?.awaitCacheInvalidation?.();
}
