import DataLoader from 'dataloader';

/** Longer than timers of the same moment are apart. */
const TOGETHER_MS = 5;
/** The part of a period by which a timer may end early. Node rounds down, and counts from when its event loop last looked at the clock. */
const EARLY = 0.02;

/**
 * Milliseconds until the next multiple of a period: loops with the same period that sleep so long wake together. A timer may end a little
 * early; the multiple that its loop then already works for is not waited for again. `now` is in milliseconds of the process.
 */
export function untilNext(periodMs: number, now = performance.now()): number {
  const ms = periodMs - (now % periodMs);
  return ms < periodMs * EARLY ? ms + periodMs : ms;
}

/**
 * Returns what asks one question, for all that is asked within milliseconds to be asked at once. `askAll` returns a value for each, or the
 * error of each, in their order; if it rejects, all fail. Nothing is remembered.
 */
export function gather<Question, Value>(
  askAll: (questions: readonly Question[]) => Promise<(Value | Error)[]>,
): (question: Question) => Promise<Value> {
  const batchScheduleFn = (ask: () => void) => void setTimeout(ask, TOGETHER_MS);
  const loader = new DataLoader<Question, Value>(askAll, { cache: false, batchScheduleFn });
  return (question) => loader.load(question);
}
