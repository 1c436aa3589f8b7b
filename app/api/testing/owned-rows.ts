import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

/** Request counts, and when a key was last used, are not data of the organization. */
const LEFT_OUT = ['rate_limit'];

/**
 * Every row of any table that names one of `ids`, as text: equal before and after if nothing was written. Includes
 * future tables.
 */
export async function readOwnedRows(db: Database, ids: string[]): Promise<Record<string, string[]>> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`;
  // One statement, because tests call this before and after every request.
  const ofEach = tables
    .filter((table) => !LEFT_OUT.includes(table.name))
    .map(
      ({ name }) => Prisma.sql`
        SELECT ${name}::text AS name, (to_jsonb(t) - 'last_used_at')::text AS row FROM ${Prisma.raw(`public."${name}"`)} AS t
         WHERE t::text ~ ${ids.join('|')}`,
    );
  const rows = await db.$queryRaw<
    { name: string; row: string }[]
  >`${Prisma.join(ofEach, ' UNION ALL ')} ORDER BY 1, 2`;
  const owned: Record<string, string[]> = {};
  for (const { name, row } of rows) owned[name] = [...(owned[name] ?? []), row];
  return owned;
}
