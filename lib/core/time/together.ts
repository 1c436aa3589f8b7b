import DataLoader from 'dataloader';

/** Longer than timers of the same moment are apart. */
const TOGETHER_MS = 5;

/** Milliseconds until the next multiple of a period: loops with the same period that sleep so long wake together. */
export function untilNext(periodMs: number): number {
  return periodMs - (performance.now() % periodMs);
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
