import type { Logger } from '@/lib/core/logger';
import { createWake } from '@/lib/core/time/wake';
import type { Services } from '@/lib/domain/context/services';
import { drainUntil } from '@/lib/engine/runtime/drain-until';
import type { Moments } from '@/lib/platform/db/moments';
import type { WayIn } from './lost-calls';
import { missDeadlines, nextDeadlineAt } from './miss-deadlines';

const MIN_SLEEP_MS = 50;

/**
 * Records missed deadlines until `until`, except while calls cannot arrive. Nobody wakes it: calls move deadlines away, and one that became nearer is found at the next
 * poll, within a second.
 */
export function drainDeadlines(
  { services, moments, wayIn, log }: { services: Services; moments: Moments; wayIn: WayIn; log: Logger },
  { until, signal }: { until: Date; signal: AbortSignal },
): Promise<void> {
  let dueAt: Date | null = null;
  const drain = {
    name: 'deadlines of heartbeats',
    minSleepMs: MIN_SLEEP_MS,
    // Every poll reads the next one.
    maxQuietMs: 0,
    startDue: async () => {
      dueAt = await moments(nextDeadlineAt(services.clock.now()));
      if (dueAt === null || dueAt > services.clock.now()) return false;
      if (await wayIn.isOpen()) return (await missDeadlines({ ...services, log })) > 0;
      dueAt = null;
      return false;
    },
    nextDueAt: async () => dueAt,
  };
  return drainUntil({ services, wake: createWake(), log }, drain, { until, signal });
}
