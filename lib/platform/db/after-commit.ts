import type { Prisma, PrismaClient } from './generated/client';

type Transaction = Prisma.TransactionClient;
type Work = () => void;

/** The work after the commit of each transaction. */
const pending = new WeakMap<object, Work[]>();

/**
 * Calls `work` once `tx` is committed, and never if it is rolled back; outside a transaction, at once. `work` must not throw: what it is about has
 * happened.
 */
export function afterCommit(tx: Transaction, work: Work): void {
  const list = pending.get(tx);
  if (list === undefined) work();
  else list.push(work);
}

/** Work for after the commit of `tx` can also be given to `joined`, whose queries belong to `tx`. */
export function shareCommit(tx: Transaction, joined: Transaction): void {
  const list = pending.get(tx);
  if (list !== undefined) pending.set(joined, list);
}

/** Has the interactive transactions of a database do the work for after their commit. */
export function callAfterCommit(db: PrismaClient): void {
  const run = db.$transaction.bind(db) as (...args: unknown[]) => Promise<unknown>;
  const transact = async (work: unknown, ...options: unknown[]) => {
    if (typeof work !== 'function') return run(work, ...options);
    const list: Work[] = [];
    const result = await run(
      (tx: Transaction) => {
        pending.set(tx, list);
        return work(tx);
      },
      ...options,
    );
    for (const each of list) each();
    return result;
  };
  Reflect.set(db, '$transaction', transact);
}
