import type { Pool } from 'pg';

/** The connections of a pool, and how many calls wait for one because all are in use. */
export type PoolState = { name: string; used: number; idle: number; waiting: number };

/** Next has its own module instances in the same process, so a global holds the pools of all of them. */
const shared = globalThis as typeof globalThis & { pharosPools?: Set<{ name: string; pool: Pool }> };

/** Includes a pool in `readPools` until it ends. */
export function countPool(name: string, pool: Pool): void {
  shared.pharosPools ??= new Set();
  removeEnded();
  shared.pharosPools.add({ name, pool });
}

/** The pools of this process, those of one name as one, in the order in which they were created. */
export function readPools(): PoolState[] {
  removeEnded();
  const states = new Map<string, PoolState>();
  for (const { name, pool } of shared.pharosPools ?? []) {
    const { used, idle, waiting } = states.get(name) ?? { used: 0, idle: 0, waiting: 0 };
    const { totalCount, idleCount, waitingCount } = pool;
    states.set(name, {
      name,
      used: used + totalCount - idleCount,
      idle: idle + idleCount,
      waiting: waiting + waitingCount,
    });
  }
  return [...states.values()];
}

/** A pool has no event for its end. */
function removeEnded(): void {
  for (const one of shared.pharosPools ?? []) {
    if (one.pool.ended) shared.pharosPools?.delete(one);
  }
}
