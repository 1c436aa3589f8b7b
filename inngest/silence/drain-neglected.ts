import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import type { WatchedDrain } from '../watched-drain';
import { PATIENCE_MS } from './watch-silence';

const LOOK_MS = 2000;
/** As long as a regular drain; the next one should have been woken by then. */
const DRAIN_MS = 70_000;

/**
 * Polls every two seconds for work that is overdue by 20 s without any drain, and drains it in this process:
 * no check or delivery depends on a wake, with the embedded driver or an Inngest server.
 */
export function drainNeglected({
  drains,
  clock,
  log,
  lookMs = LOOK_MS,
}: {
  drains: WatchedDrain[];
  clock: Clock;
  log: Logger;
  lookMs?: number;
}): { stop(): Promise<void> } {
  const running = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;

  const lookAt = async (drain: WatchedDrain): Promise<void> => {
    if (running.has(drain.id)) return;
    const since = await drain.neglectedSince();
    const now = clock.now().getTime();
    if (since === null || now - since.getTime() <= PATIENCE_MS || stopped) return;
    log.warn({ drain: drain.id, since }, 'overdue work was not woken; draining it in this worker');
    const done = drain
      .runWhole(new Date(now + DRAIN_MS))
      .catch((error: unknown) =>
        log.error({ drain: drain.id, error: describeError(error) }, 'could not drain overdue work'),
      )
      .finally(() => running.delete(drain.id));
    running.set(drain.id, done);
  };
  const look = async () => {
    for (const drain of drains) {
      await lookAt(drain).catch((error: unknown) =>
        log.warn({ drain: drain.id, error: describeError(error) }, 'could not look for overdue work'),
      );
    }
    arm();
  };
  const arm = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      looking = look();
    }, lookMs);
  };
  arm();

  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await looking;
      await Promise.all(running.values());
    },
  };
}
