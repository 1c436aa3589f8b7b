/** The calls of one function, by a key that says all that its result depends on. */
export type SharedCalls<Result> = (key: string, call: () => Promise<Result>) => Promise<Result>;

type Running<Result> = { result: Promise<Result>; next: Promise<Result> | null };

/**
 * Lets those who ask for the same while a call is running share the next one, which begins when that call ends: nobody gets a result
 * that was begun before they asked, so each one sees what was committed before. Keeps nothing once nobody waits.
 */
export function createSharedCalls<Result>(): SharedCalls<Result> {
  const running = new Map<string, Running<Result>>();
  const begin = (key: string, call: () => Promise<Result>): Promise<Result> => {
    const own: Running<Result> = { result: call(), next: null };
    running.set(key, own);
    const end = () => {
      if (own.next === null) running.delete(key);
    };
    own.result.then(end, end);
    return own.result;
  };
  return (key, call) => {
    const before = running.get(key);
    if (before === undefined) return begin(key, call);
    const next = () => begin(key, call);
    before.next ??= before.result.then(next, next);
    return before.next;
  };
}
