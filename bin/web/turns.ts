import { setTimeout as delay, setImmediate as nextTick } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { within } from '@/lib/core/calls/within';
import { RateLimitedError } from '@/lib/web/http/rate-limit';

const DEFAULTS = {
  /** Requests of one source that the application handles at the same time. */
  atOnce: 3,
  /** More than a browser sends at once. A source with more waiting gets one at a time, and a fifth of the time. */
  crowd: 6,
  /** Milliseconds. A request that takes longer mostly waits, for a check or for a lock, and lets the next one begin. */
  turnMs: 200,
  /** One connection can send any number of requests, without reading a response. */
  maxPending: 300,
};

/**
 * Turns for requests that memory cannot serve: of each source, an address or a key, the application handles a few at once. Otherwise
 * hundreds of requests, each within its rate limit, make everyone else wait behind them.
 */
export function createTurns(options: Partial<typeof DEFAULTS> = {}) {
  const { atOnce, crowd, turnMs, maxPending } = { ...DEFAULTS, ...options };
  const limits = new Map<string, LimitFunction>();
  // What memory serves is responded to between two of them.
  const begin = pLimit(1);
  const end = async (limit: LimitFunction, begunAt: number) => {
    const isCrowd = limit.pendingCount > crowd;
    limit.concurrency = isCrowd ? 1 : atOnce;
    // What comes from memory would follow each other within one turn of the event loop.
    await (isCrowd ? delay(4 * (performance.now() - begunAt)) : nextTick());
  };
  /** Does the work of a source when it is its turn. Throws `RateLimitedError` if too many of its requests are pending. */
  return async <T>(source: string, work: () => Promise<T>): Promise<T> => {
    const limit = limits.get(source) ?? pLimit(atOnce);
    if (limit.pendingCount >= maxPending) throw new RateLimitedError({ 'Retry-After': '1' });
    limits.set(source, limit);
    return new Promise((resolve, reject) => {
      const turn = limit(async () => {
        await begin(nextTick);
        const begunAt = performance.now();
        const result = (async () => work())();
        result.then(resolve, reject);
        await within(turnMs, result).catch(() => null);
        await end(limit, begunAt);
      });
      void turn.then(() => {
        if (limit.activeCount + limit.pendingCount === 0) limits.delete(source);
      });
    });
  };
}
