import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from './generated/client';

/** The database: Prisma for the ordinary, `$queryRaw` in one file a verb for the hot path. */
export type Database = PrismaClient;

/** What a verb writes through inside `database.$transaction`. */
export type Transaction = Prisma.TransactionClient;

/** Opens a pool of at most `poolSize` connections to `url`; nothing connects before the first query. */
export function createDatabase(
  url: string,
  { poolSize, name }: { poolSize: number; name: string },
): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    max: poolSize,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    // A connection whose other end is gone without a word is found out within half a minute.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: '-c timezone=UTC',
  });
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 10_000, timeout: 30_000 } });
}

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
