import type { Database } from '@/lib/db/client';
import { Prisma } from '@/lib/db/generated/client';

/** How many requests were counted is no data of the organization. Nor is when a key was last used. */
const LEFT_OUT = ['rate_limit'];

/**
 * Every row, of whatever table, that names one of `ids`, as text: equal before and after where nothing was written. A new
 * table joins by itself.
 */
export async function readOwnedRows(db: Database, ids: string[]): Promise<Record<string, string[]>> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`;
  const owned: Record<string, string[]> = {};
  for (const { name } of tables.filter((table) => !LEFT_OUT.includes(table.name))) {
    const rows = await db.$queryRaw<{ row: string }[]>`
      SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM ${Prisma.raw(`public."${name}"`)} AS t
       WHERE t::text ~ ${ids.join('|')} ORDER BY 1`;
    if (rows.length > 0) owned[name] = rows.map(({ row }) => row);
  }
  return owned;
}
