import { DeadlineError, NetError } from './net-error';

const ONCE = { once: true };

/** Every attempt of a race failed; `errors` are in item order. */
export class RaceLostError extends Error {
  constructor(readonly errors: unknown[]) {
    super('every attempt failed');
    this.name = 'RaceLostError';
  }
}

/** What ends an exchange early: an AbortSignal, or the signal of a deadline, which costs far less. */
export type StopSignal = {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
};

/** Creates the signal of a deadline or race. Every check has one, and an AbortController costs as much as the parser. */
class Stop implements StopSignal {
  aborted = false;
  reason: unknown = undefined;
  /** Among the followers of its caller's signal; null: not one of them. */
  place: number | null = null;
  /** In which its deadline ends. */
  turn: NodeJS.Immediate | null = null;
  #listeners: (() => void)[] = [];

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const index = this.#listeners.indexOf(listener);
    if (index !== -1) this.#listeners.splice(index, 1);
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}

/**
 * What ends with a caller's signal. An array, because a Set replaces its table again and again when it changes all the time, and in
 * V8 each replaced table references the next: until a full collection, all that was ever in the Set stays in memory.
 */
class Followers {
  #stops: Stop[] = [];

  add(stop: Stop): void {
    stop.place = this.#stops.push(stop) - 1;
  }

  delete(stop: Stop): void {
    const { place } = stop;
    if (place === null) return;
    stop.place = null;
    const last = this.#stops.pop();
    if (last === undefined || last === stop) return;
    this.#stops[place] = last;
    last.place = place;
  }

  abort(reason: Error): void {
    for (const stop of [...this.#stops]) stop.abort(reason);
  }
}

/** One listener for all: adding and removing one costs more the more there are. */
const followers = new WeakMap<StopSignal, Followers>();

function followersOf(signal: StopSignal): Followers {
  const known = followers.get(signal);
  if (known) return known;
  const added = new Followers();
  followers.set(signal, added);
  signal.addEventListener('abort', () => added.abort(abortReason(signal)), ONCE);
  return added;
}

/**
 * Starts a limit of `ms` milliseconds for a whole exchange, which also ends when the caller's signal aborts. Its own signal
 * is aborted with a `DeadlineError`, or with the caller's reason. Call `release` when the exchange is over.
 */
export function startDeadline(ms: number, signal?: StopSignal, what = 'no response') {
  const stop = new Stop();
  const timer = setTimeout(() => {
    // After a delay of this process, what arrived in time is read first.
    stop.turn = setImmediate(() => stop.abort(new DeadlineError(what, ms)));
  }, ms);
  const following = signal && !signal.aborted ? followersOf(signal) : null;
  following?.add(stop);
  if (signal?.aborted) stop.abort(abortReason(signal));
  return {
    signal: stop as StopSignal,
    release: () => {
      clearTimeout(timer);
      if (stop.turn !== null) clearImmediate(stop.turn);
      following?.delete(stop);
    },
  };
}

/** Starts a signal that is aborted with its caller's, or earlier by `abort`. Call `release` when nothing follows it anymore. */
export function startStop(signal: StopSignal) {
  const stop = new Stop();
  const following = signal.aborted ? null : followersOf(signal);
  following?.add(stop);
  if (signal.aborted) stop.abort(abortReason(signal));
  return {
    signal: stop as StopSignal,
    abort: (reason: Error) => stop.abort(reason),
    release: () => following?.delete(stop),
  };
}

/** Waits for a promise that cannot be canceled until the signal aborts; then rejects with its reason. */
export function orAborted<T>(promise: Promise<T>, signal: StopSignal): Promise<T> {
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
  signal: StopSignal,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => (isResolved: boolean) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortReason(signal));
    const outcome = { isSettled: false, isResolved: false };
    let cleanUp: ((isResolved: boolean) => void) | undefined;
    const settle = (isResolved: boolean) => {
      outcome.isSettled = true;
      outcome.isResolved = isResolved;
      signal.removeEventListener('abort', stop);
      cleanUp?.(isResolved);
    };
    const fail = (error: unknown) => {
      if (outcome.isSettled) return;
      settle(false);
      reject(error);
    };
    const stop = () => fail(abortReason(signal));
    signal.addEventListener('abort', stop, ONCE);
    cleanUp = start((value) => {
      if (outcome.isSettled) return;
      settle(true);
      resolve(value);
    }, fail);
    if (outcome.isSettled) cleanUp(outcome.isResolved);
  });
}

/** The abort reason of a signal, as an error. */
export function abortReason(signal: StopSignal | undefined): Error {
  return signal?.reason instanceof Error
    ? signal.reason
    : new NetError('unavailable', 'the check was stopped');
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
    signal: StopSignal;
    attempt(item: Item, signal: StopSignal): Promise<Result>;
    discard?(result: Result): void;
  },
): Promise<Result> {
  const { staggerMs, signal, attempt, discard } = options;
  return abortable(signal, (resolve, reject) => {
    const others = new Stop();
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
      if (started < items.length) timer = setTimeout(startNext, staggerMs);
      attempt(item, others).then(
        (result) => {
          if (others.aborted) discard?.(result);
          else resolve(result);
        },
        (error: unknown) => {
          if (others.aborted) return;
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
      if (pending > 0) others.abort(abortReason(signal));
    };
  });
}
