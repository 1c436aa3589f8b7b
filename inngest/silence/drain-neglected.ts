import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import { watchFreezes } from '@/lib/core/time/freezes';
import { poll } from '@/lib/core/time/poll';
import type { WatchedDrain } from '../watched-drain';
import { PATIENCE_MS } from './watch-silence';

const LOOK_MS = 2000;
/** As long as a regular drain; the next one should have been woken by then. */
const DRAIN_MS = 70_000;

/**
 * Polls every two seconds for work that is overdue by 20 s without any drain, and drains it in this process:
 * no check or delivery depends on a wake, with the embedded driver or an Inngest server.
 */
export function drainNeglected(
  drains: WatchedDrain[],
  { clock, log, lookMs = LOOK_MS }: { clock: Clock; log: Logger; lookMs?: number },
): { stop(): Promise<void> } {
  const freezes = watchFreezes(clock);
  const look = async (drain: WatchedDrain, signal: AbortSignal): Promise<void> => {
    const since = await drain.neglectedSince();
    const now = clock.now().getTime();
    if (since === null || signal.aborted) return;
    // While this process did not run, it could not be woken.
    const pendingSince = Math.max(since.getTime(), freezes.thawedAt()?.getTime() ?? 0);
    if (now - pendingSince <= PATIENCE_MS) return;
    log.warn({ drain: drain.id, since }, 'overdue work was not woken; draining it in this worker');
    await drain.run(new Date(now + DRAIN_MS));
  };
  const polls = drains.map((drain) =>
    poll((signal) => look(drain, signal), {
      everyMs: lookMs,
      onError: (error) =>
        log.error({ drain: drain.id, error: describeError(error) }, 'could not drain overdue work'),
    }),
  );
  return {
    stop: async () => {
      freezes.stop();
      await Promise.all(polls.map((one) => one.stop()));
    },
  };
}
