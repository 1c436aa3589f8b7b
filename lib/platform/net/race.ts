import { abortReason } from './deadline';

/** Every attempt of a race failed; `errors` are in the order of the items. */
export class RaceLostError extends Error {
  constructor(readonly errors: unknown[]) {
    super('every attempt failed');
    this.name = 'RaceLostError';
  }
}

/**
 * Tries the items in order, the next one as soon as one fails or `staggerMs` have passed without success, and
 * resolves with the first success. The signal given to the other attempts is aborted then; what one of them still
 * brings is handed to `discard`. Throws `RaceLostError`, or the signal's reason.
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
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const errors: unknown[] = [];
    let timer: NodeJS.Timeout | undefined;
    let started = 0;
    let failed = 0;
    let settled = false;

    const settle = (finish: () => void) => {
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      controller.abort(abortReason(signal));
      finish();
    };
    const stop = () => settle(() => reject(abortReason(signal)));
    const startNext = () => {
      clearTimeout(timer);
      const index = started;
      const item = items[index];
      if (item === undefined) return;
      started += 1;
      timer = setTimeout(startNext, staggerMs);
      attempt(item, controller.signal).then(
        (result) => {
          if (settled) discard?.(result);
          else settle(() => resolve(result));
        },
        (error: unknown) => {
          if (settled) return;
          errors[index] = error;
          failed += 1;
          if (failed === items.length) settle(() => reject(new RaceLostError(errors)));
          else startNext();
        },
      );
    };

    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    if (items.length === 0) return settle(() => reject(new RaceLostError(errors)));
    startNext();
  });
}
