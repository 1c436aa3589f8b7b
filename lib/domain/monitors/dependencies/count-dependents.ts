import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

/** How many enabled monitors depend on each of these, directly or not, in one query; monitors without any are missing. */
export async function countDependents(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (monitorIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; count: number }[]>(dependentsQuery(monitorIds));
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Searches an index for each, also without statistics: `EXISTS` would read all monitors for each until the server has analyzed them. */
export function dependentsQuery(monitorIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE reached (root, id) AS (
      SELECT id, id FROM unnest(${[...monitorIds]}::text[]) AS given (id)
       UNION
      SELECT root, child.id FROM reached
        JOIN monitor AS child ON child.depends_on && ARRAY[reached.id] AND child.depends_on <> '{}'
    )
    SELECT root AS id, count(*)::int AS count FROM reached JOIN monitor ON monitor.id = reached.id
     WHERE reached.id <> root AND enabled GROUP BY root`;
}

/** What depends on a monitor: how many, how many of them are not announced because of it, and the names of some of these. */
export type Dependents = { all: number; down: number; names: string[] };

const MAX_NAMES = 5;

/** What depends on monitors that are down, by their ID, in two queries; monitors without any are missing. */
export async function readDependents(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: readonly string[],
): Promise<ReadonlyMap<string, Dependents>> {
  const counts = await countDependents(db, monitorIds);
  const ids = [...counts.keys()];
  if (ids.length === 0) return new Map();
  const rows = await db.$queryRaw<(Omit<Dependents, 'all'> & { id: string })[]>`
    SELECT id, count(*)::int AS down, (array_agg(name ORDER BY name))[1:${MAX_NAMES}::int] AS names
      FROM (SELECT DISTINCT caused_by_id AS id, monitor.id AS child, name
              FROM held_announcement JOIN monitor ON monitor.id = monitor_id
             WHERE ended_at IS NULL AND look_at IS NULL AND caused_by_id = ANY(${ids})) AS suppressed
     GROUP BY id`;
  const suppressed = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    [...counts].map(([id, all]) => {
      const { down = 0, names = [] } = suppressed.get(id) ?? {};
      return [id, { all, down, names }];
    }),
  );
}
