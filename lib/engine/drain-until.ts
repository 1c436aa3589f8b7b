import type { Clock } from '@/lib/core/clock';
import type { Wake } from '@/lib/core/wake';

/** The longest sleep without looking: how late work can be when a notification is lost. */
const MAX_SLEEP_MS = 1000;

/** One kind of work that falls due. */
export type Drain = {
  clock: Clock;
  wake: Wake;
  /** The shortest sleep, in milliseconds: what falls due meanwhile is claimed together. */
  minSleepMs: number;
  /** Claims what is due and begins it; answers whether there may be more at once. */
  startDue(): Promise<boolean>;
  /** When the next is due; null when nothing waits, or there is no place for it. */
  nextDueAt(): Promise<Date | null>;
};

/** Begins due work as it falls due, until `until` or the signal. What is begun goes on after that by itself. */
export async function drainUntil(
  { clock, wake, minSleepMs, startDue, nextDueAt }: Drain,
  { until, signal }: { until: Date; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted && clock.now() < until) {
    const seen = wake.rings();
    if (await startDue()) continue;
    const due = (await nextDueAt())?.getTime() ?? Number.POSITIVE_INFINITY;
    const now = clock.now().getTime();
    const wait = Math.min(MAX_SLEEP_MS, until.getTime() - now, due - now);
    await wake.sleep(Math.max(minSleepMs, wait), { signal, seen });
  }
}
