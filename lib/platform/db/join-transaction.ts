import type { Database, Transaction } from './client';

/**
 * A database whose every query, nested transactions included, belongs to `tx`: what a verb does through it is done or
 * undone with the rest.
 */
export function joinTransaction(tx: Transaction): Database {
  const joined: Database = new Proxy(tx as Database, {
    get(target, property) {
      return property === '$transaction' ? runJoined : Reflect.get(target, property);
    },
  });
  const runJoined = (work: ((tx: Transaction) => Promise<unknown>) | Promise<unknown>[]) =>
    typeof work === 'function' ? work(joined) : Promise.all(work);
  return joined;
}
