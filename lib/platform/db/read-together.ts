import { type Database, readTextRow } from './client';
import { Prisma } from './generated/client';

type Reader = Pick<Database, '$queryRaw'>;

type Read = { query: Prisma.Sql; resolve(rows: unknown): void; reject(error: unknown): void };

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
  const [result] = await Promise.all([working, send(db, reads)]);
  return result;
}

async function send(db: Reader, reads: readonly Read[]): Promise<void> {
  if (reads.length === 0) return;
  const columns = reads.map(
    ({ query }, place) =>
      Prisma.sql`(SELECT json_agg(read_row) FROM (${query}) AS read_row)::text AS ${Prisma.raw(`"${place}"`)}`,
  );
  try {
    const row = await readTextRow(db, Prisma.sql`SELECT ${Prisma.join(columns)}`);
    for (const [place, { resolve }] of reads.entries()) resolve(JSON.parse(row[place] ?? '[]'));
  } catch (error) {
    for (const { reject } of reads) reject(error);
  }
}
