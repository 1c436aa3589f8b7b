import { setMaxListeners } from 'node:events';
import { NetError } from './net-error';

/** Every attempt of a race failed; `errors` are in item order. */
export class RaceLostError extends Error {
  constructor(readonly errors: unknown[]) {
    super('every attempt failed');
    this.name = 'RaceLostError';
  }
}

/**
 * Starts a limit of `ms` milliseconds for a whole exchange, which also ends when the caller's signal aborts. Its own signal
 * is aborted with a `NetError` of code `timeout`, or with the caller's reason. Call `release` when the exchange is over.
 */
export function startDeadline(ms: number, signal?: AbortSignal, what = 'no response') {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const timer = setTimeout(
    () => controller.abort(new NetError('timeout', `${what} within ${formatSeconds(ms)}`)),
    ms,
  );
  const forward = () => controller.abort(abortReason(signal));
  if (signal) {
    // Every check in flight listens to the worker's signal; many listeners are not a leak.
    setMaxListeners(0, signal);
    if (signal.aborted) forward();
    else signal.addEventListener('abort', forward, { once: true });
  }
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', forward);
    },
  };
}

/** Waits for a promise that cannot be canceled until the signal aborts; then rejects with its reason. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Handled even if nothing waits for it anymore.
  promise.catch(() => undefined);
  return abortable(signal, (resolve, reject) => {
    promise.then(resolve, reject);
    return () => undefined;
  });
}

/**
 * A promise settled by callbacks, or rejected with the signal's reason when that aborts. `start` returns the cleanup
 * for the moment the promise settles; callbacks after that have no effect.
 */
export function abortable<T>(
  signal: AbortSignal,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => (isResolved: boolean) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortReason(signal));
    const outcome = { isSettled: false, isResolved: false };
    let cleanUp: ((isResolved: boolean) => void) | undefined;
    const settle = (isResolved: boolean, finish: () => void) => {
      if (outcome.isSettled) return;
      Object.assign(outcome, { isSettled: true, isResolved });
      signal.removeEventListener('abort', stop);
      cleanUp?.(isResolved);
      finish();
    };
    const stop = () => settle(false, () => reject(abortReason(signal)));
    signal.addEventListener('abort', stop, { once: true });
    cleanUp = start(
      (value) => settle(true, () => resolve(value)),
      (error) => settle(false, () => reject(error)),
    );
    if (outcome.isSettled) cleanUp(outcome.isResolved);
  });
}

/** The abort reason of a signal, as an error. */
export function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error
    ? signal.reason
    : new NetError('unavailable', 'the check was stopped');
}

/** `30 s`, `1.5 s`, `200 ms`. */
export function formatSeconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

/**
 * Attempts the items in order, starting the next one when one fails or after `staggerMs` without success.
 * Resolves with the first success and aborts the signal given to the others; any late result goes to
 * `discard`. Throws `RaceLostError`, or the signal's reason.
 */
export function raceStaggered<Item, Result>(
  items: readonly Item[],
  options: {
    staggerMs: number;
    signal: AbortSignal;
    attempt(item: Item, signal: AbortSignal): Promise<Result>;
    discard?(result: Result): void;
  },
): Promise<Result> {
  const { staggerMs, signal, attempt, discard } = options;
  return abortable(signal, (resolve, reject) => {
    const controller = new AbortController();
    const errors: unknown[] = [];
    let timer: NodeJS.Timeout | undefined;
    let started = 0;
    let failed = 0;

    const startNext = () => {
      clearTimeout(timer);
      const index = started;
      const item = items[index];
      if (item === undefined) return;
      started += 1;
      timer = setTimeout(startNext, staggerMs);
      attempt(item, controller.signal).then(
        (result) => {
          if (controller.signal.aborted) discard?.(result);
          else resolve(result);
        },
        (error: unknown) => {
          if (controller.signal.aborted) return;
          errors[index] = error;
          failed += 1;
          if (failed === items.length) reject(new RaceLostError(errors));
          else startNext();
        },
      );
    };

    if (items.length === 0) reject(new RaceLostError(errors));
    else startNext();
    return (isWon) => {
      clearTimeout(timer);
      const pending = started - failed - (isWon ? 1 : 0);
      // The reason is an error, which costs more than a connection to this machine.
      if (pending > 0) controller.abort(abortReason(signal));
    };
  });
}
