import { PrismaPg } from '@prisma/adapter-pg';
import { type ClientBase, defaults, Pool } from 'pg';
import { isTracing } from '@/lib/core/calls/traced';
import { callAfterCommit, shareCommit } from './after-commit';
import { countPool } from './connections/pools';
import { type Prisma, PrismaClient } from './generated/client';
import { LOCK_PATIENCE_MS } from './locks/lock-waits';
import { createStatementNames } from './statement-names';
import { traceAdapter } from './traced-adapter';

// As Prisma does: in the time zone of the process, a moment can have another date.
defaults.parseInputDatesAsUTC = true;

/** The database: Prisma for ordinary queries, `$queryRaw` for the hot path. */
export type Database = PrismaClient;

/** The client inside `database.$transaction`. */
export type Transaction = Prisma.TransactionClient;

export type PoolOptions = {
  poolSize: number;
  name: string;
  /** Whether `url` leads to a pooler such as PgBouncer in transaction mode: a session lasts for a transaction there. */
  hasPooler?: boolean;
  /** After this long, PostgreSQL ends a statement, waits for locks included. Not through a pooler, which would refuse it. */
  statementTimeoutMs?: number;
};

/** Creates a pool of at most `poolSize` connections to `url`; connects on first use. */
export function createDatabase(
  url: string,
  { poolSize, name, hasPooler = false, statementTimeoutMs }: PoolOptions,
): Database {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    // Detects silently dropped connections within half a minute.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(hasPooler ? THROUGH_POOLER : { options: sessionOptions(statementTimeoutMs) }),
  });
  // A named statement belongs to a session.
  const nameStatement = hasPooler ? () => '' : createStatementNames();
  const adapter = new PrismaPg(pool, { disposeExternalPool: true, statementNameGenerator: nameStatement });
  const db = new PrismaClient({
    adapter: isTracing() ? traceAdapter(adapter) : adapter,
    transactionOptions: { maxWait: 10_000, timeout: 30_000 },
    // Any other format takes a stack trace for every query, in case it fails.
    errorFormat: 'minimal',
  });
  callAfterCommit(db);
  countPool(name, pool);
  if (!isTracing()) {
    textReaders.set(db, async ({ text, values }) => {
      const { rows } = await pool.query<string[]>({
        text,
        values,
        rowMode: 'array',
        name: nameStatement({ sql: text }),
      });
      return rows[0]?.[0] ?? '';
    });
  }
  return db;
}

/** What reads a text past Prisma, which takes more than twice the CPU of `pg` for it, mostly to find out types. */
const textReaders = new WeakMap<object, (query: Prisma.Sql) => Promise<string>>();

/** The result of a query with one row of one text. */
export async function readText(db: Pick<Database, '$queryRaw'>, query: Prisma.Sql): Promise<string> {
  const read = textReaders.get(db);
  if (read !== undefined) return read(query);
  // In a transaction, or while it is traced.
  const [row = {}] = await db.$queryRaw<Record<string, string>[]>(query);
  return Object.values(row)[0] ?? '';
}

/**
 * A process that stops in the middle of a transaction must not hold its locks for longer, and none waits for a lock forever. JIT compiles a statement at every execution, which
 * takes longer than any of ours gains. So does starting parallel workers, and their plans read whole tables for one organization of many.
 */
function sessionOptions(statementTimeoutMs = 0): string {
  const limits = `-c idle_in_transaction_session_timeout=10000 -c lock_timeout=${LOCK_PATIENCE_MS} -c statement_timeout=${statementTimeoutMs}`;
  return `-c timezone=UTC ${limits} -c jit=off -c max_parallel_workers_per_gather=0`;
}

/** Poolers refuse `options`. PgBouncer keeps the time zone of a client; the timeout is a setting of its own, JIT and parallel workers are of the role. */
const THROUGH_POOLER = {
  onConnect: async (client: ClientBase) => {
    await client.query("SET timezone = 'UTC'");
  },
};

/** A database whose queries and nested transactions all belong to `tx`, and are committed or rolled back with it. */
export function joinTransaction(tx: Transaction): Database {
  const joined: Database = new Proxy(tx as Database, {
    get(target, property) {
      return property === '$transaction' ? runJoined : Reflect.get(target, property);
    },
  });
  shareCommit(tx, joined);
  const runJoined = (work: ((tx: Transaction) => Promise<unknown>) | Promise<unknown>[]) =>
    typeof work === 'function' ? work(joined) : Promise.all(work);
  return joined;
}
