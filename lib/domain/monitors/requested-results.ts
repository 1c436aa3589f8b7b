import { createWake, type Wake } from '@/lib/core/time/wake';
import type { Services } from '@/lib/domain/context/services';
import type { Database } from '@/lib/platform/db/client';

/** How often it looks for results that came without a notification. */
const LOOK_MS = 500;

type Awaiting = Pick<Services, 'db' | 'requestedResults'>;
/** `count` is how many results a requester knows of. */
type Waiter = { id: string; count: number; end(error?: unknown): void };
type Watch = { waiters: Set<Waiter>; arrivals: Wake; isLooking: boolean };

/** One for each pool of connections. */
const watches = new WeakMap<Database, Watch>();

/**
 * Resolves once workers have stored more than `count` results of a requested check or dry run, after `ms` milliseconds, or at `signal`. All who
 * wait in a process share one statement, when there is news and twice a second, so that hundreds cost as much as one. Rejects if it fails.
 */
export function awaitResult(
  { db, requestedResults }: Awaiting,
  requested: { id: string; count: number },
  { ms, signal }: { ms: number; signal?: AbortSignal },
): Promise<void> {
  const watch = watches.get(db) ?? {
    waiters: new Set(),
    arrivals: requestedResults ?? createWake(),
    isLooking: false,
  };
  watches.set(db, watch);
  return new Promise((resolve, reject) => {
    const end = (error?: unknown) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      watch.waiters.delete(waiter);
      if (error === undefined) resolve();
      else reject(error);
    };
    const leave = () => end();
    const waiter: Waiter = { ...requested, end };
    const timer = setTimeout(leave, Math.max(0, ms));
    if (signal?.aborted) return end();
    signal?.addEventListener('abort', leave);
    watch.waiters.add(waiter);
    if (watch.isLooking) watch.arrivals.ring();
    else void look(db, watch);
  });
}

/** Looks for the results of all who wait, until nobody does. */
async function look(db: Database, watch: Watch): Promise<void> {
  watch.isLooking = true;
  while (watch.waiters.size > 0) {
    const seen = watch.arrivals.rings();
    const waiting = [...watch.waiters];
    try {
      const counts = await countResults(db, [...new Set(waiting.map(({ id }) => id))]);
      for (const each of waiting) if ((counts.get(each.id) ?? 0) > each.count) each.end();
    } catch (error) {
      for (const each of waiting) each.end(error);
    }
    if (watch.waiters.size > 0) await watch.arrivals.sleep(LOOK_MS, { seen });
  }
  watch.isLooking = false;
}

async function countResults(db: Database, ids: string[]): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ id: string; count: number }[]>`
    SELECT id, count(*)::int AS count
      FROM (SELECT id FROM dry_run WHERE id = ANY(${ids}) AND result IS NOT NULL
             UNION ALL
            SELECT id FROM manual_check WHERE id = ANY(${ids}) AND finished_at IS NOT NULL) AS finished
     GROUP BY id`;
  return new Map(rows.map(({ id, count }) => [id, count]));
}
