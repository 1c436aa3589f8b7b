import type { Database } from '@/lib/platform/db/client';

/** A monitor as it is named on a page. */
export type MonitorName = { id: string; name: string; createdAt: string };

/** The names of monitors, in the order of `ids`. */
export async function readMonitorNames(
  db: Pick<Database, '$queryRaw'>,
  ids: string[],
): Promise<MonitorName[]> {
  const rows = await db.$queryRaw<{ id: string; name: string; createdAt: Date }[]>`
    SELECT id, name, created_at AS "createdAt" FROM monitor
     WHERE id = ANY(${ids}) ORDER BY array_position(${ids}, id)`;
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}
