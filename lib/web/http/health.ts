import type { Health } from '@/lib/engine/health/health';

/**
 * Next has its own module instances in the same process; the process's health is passed through this global.
 */
const shared = globalThis as typeof globalThis & { pharosHealth?: Health };

/** Registers the health that /api/health responds with in this process. */
export function shareHealth(health: Health): void {
  shared.pharosHealth = health;
}

/** The health of this process, registered by the web server before the application handles requests. */
export function getHealth(): Health {
  if (shared.pharosHealth === undefined) throw new Error('no health was registered in this process');
  return shared.pharosHealth;
}
