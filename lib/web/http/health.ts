import type { Health } from '@/lib/engine/health/health';

/** Next has modules of its own in the same process: the process's health is handed over here. */
const shared = globalThis as typeof globalThis & { pharosHealth?: Health };

/** Says what responds to /api/health in this process. */
export function shareHealth(health: Health): void {
  shared.pharosHealth = health;
}

/** The health of this process, which the web server hands over before it lets the application respond. */
export function getHealth(): Health {
  if (shared.pharosHealth === undefined) throw new Error('no health was handed over to the application');
  return shared.pharosHealth;
}
