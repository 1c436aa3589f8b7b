import { type Database, readText } from './client';
import { Prisma } from './generated/client';
import { whyUnavailable } from './unavailable';

type Reader = Pick<Database, '$queryRaw'>;

type Read = { query: Prisma.Sql; resolve(rows: unknown): void; reject(error: unknown): void };

/** How what is read together is sent, by database, where that is not at once. */
const senders = new WeakMap<object, (reads: Read[]) => Promise<void>>();

/**
 * Sends the queries that `work` begins, before it waits for anything, as one statement: each is a subquery that returns its rows as
 * JSON. Sending and receiving is most of what a short query costs, and all see the same snapshot. Later queries are sent as usual. Queries
 * must have no moments among their columns, which would become text, and no `bigint`.
 */
export async function readTogether<T, Own extends Reader>(
  db: Own,
  work: (db: Own) => Promise<T>,
): Promise<T> {
  const reads: Read[] = [];
  let isOpen = true;
  const collect = (query: Prisma.Sql) =>
    new Promise((resolve, reject) => {
      reads.push({ query, resolve, reject });
    });
  const collecting = new Proxy(db, {
    get: (target, property) => {
      if (property !== '$queryRaw' || !isOpen) return Reflect.get(target, property);
      return (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
        collect(query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values));
    },
  });
  const working = work(collecting);
  isOpen = false;
  if (reads.length === 0) return working;
  const sendReads = senders.get(db) ?? ((own: Read[]) => send(db, [own]));
  const [result] = await Promise.all([working, sendReads(reads)]);
  return result;
}

/**
 * The same database for the duration of a request: what several `readTogether` begin before the process waits for anything is sent as one
 * statement, such as what a page and its layout read. If that fails, each is sent on its own, so that none fails because of another, unless
 * the database cannot be reached.
 */
export function joinReads(db: Database): Database {
  let waiting: Read[][] = [];
  let sending: Promise<void> | null = null;
  const joined = new Proxy(db, { get: (target, property) => Reflect.get(target, property) });
  senders.set(joined, (reads) => {
    waiting.push(reads);
    sending ??= nextTick().then(() => {
      const groups = waiting;
      [waiting, sending] = [[], null];
      return send(db, groups);
    });
    return sending;
  });
  return joined;
}

async function send(db: Reader, groups: readonly Read[][]): Promise<void> {
  const reads = groups.flat();
  const values = reads.map(
    ({ query }) => Prisma.sql`(SELECT json_agg(read_row) FROM (${query}) AS read_row)`,
  );
  try {
    // One value instead of a column for each: `pg` looks up the types of all columns for every result.
    const text = await readText(db, Prisma.sql`SELECT json_build_array(${Prisma.join(values)})::text`);
    const results: unknown[] = JSON.parse(text);
    for (const [place, { resolve }] of reads.entries()) resolve(results[place] ?? []);
  } catch (error) {
    if (groups.length > 1 && whyUnavailable(error) === null)
      await Promise.all(groups.map((group) => send(db, [group])));
    else for (const { reject } of reads) reject(error);
  }
}

/** After everything that can go on without waiting. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
