import type { Logger } from '@/lib/core/logger';
import { createWake } from '@/lib/core/time/wake';
import type { Services } from '@/lib/domain/context/services';
import { drainUntil } from '@/lib/engine/runtime/drain-until';
import { missDeadlines, nextDeadlineAt } from './miss-deadlines';

const MIN_SLEEP_MS = 50;
/** How soon reception that has begun again is noticed. */
const MAX_QUIET_MS = 1000;

/**
 * Records missed deadlines until `until`. Nobody wakes it: calls move deadlines away, and one that became nearer is found at the next
 * poll, within a second.
 */
export function drainDeadlines(
  { services, log }: { services: Services; log: Logger },
  { until, signal }: { until: Date; signal: AbortSignal },
): Promise<void> {
  const drain = {
    name: 'deadlines of heartbeats',
    minSleepMs: MIN_SLEEP_MS,
    maxQuietMs: MAX_QUIET_MS,
    startDue: async () => (await missDeadlines({ ...services, log })) > 0,
    nextDueAt: () => nextDeadlineAt(services),
  };
  return drainUntil({ services, wake: createWake(), log }, drain, { until, signal });
}
