import type { Services } from '@/lib/domain/context/services';

/** Rows that are read as fast without an index as with one. */
const FEW_ROWS = 500;
/** A table with so many times as many rows as PostgreSQL knows of is another table: fewer, and a flood would be mostly analyzed. */
const GROWTH = 4;

/**
 * Has PostgreSQL analyze the tables that have grown to a multiple of what it knows of them. Its own daemon looks once a minute: too late for an outage that
 * opens thousands of incidents in seconds, in which the plans that connections keep for small tables read each of them from its beginning. Analyzing a
 * table has its plans made again. Returns the names of the tables; one that is locked is skipped, and found again. Tables of another role are left to it, and
 * partitions of results, a new one each day, to PostgreSQL. Throws the first error after it has tried all.
 */
export async function analyzeGrown({ db }: Pick<Services, 'db'>): Promise<string[]> {
  const grown = await db.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, pg_stat_user_tables.relname) AS name
      FROM pg_stat_user_tables JOIN pg_class ON pg_class.oid = relid
     WHERE schemaname = 'public' AND pg_has_role(relowner, 'USAGE')
           AND n_live_tup > ${GROWTH}::int * greatest(reltuples, ${FEW_ROWS}::int)`;
  const names = grown.map(({ name }) => name);
  const errors: unknown[] = [];
  for (const name of names)
    await db.$executeRawUnsafe(`ANALYZE (SKIP_LOCKED) ${name}`).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
  return names;
}
