import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

/** IDs of the status pages that show one of the monitors. */
export async function listPagesWith(tx: Transaction, monitorIds: string[]): Promise<string[]> {
  const pages = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT page_id AS id FROM status_page_monitor WHERE monitor_id = ANY(${monitorIds})`;
  return pages.map(({ id }) => id);
}

/** Removes rows that have left status pages, by the ID of the monitor or component, from the choices of their subscribers. */
export async function forgetRows(tx: Transaction, pageIds: string[], gone: string[]): Promise<void> {
  if (pageIds.length === 0 || gone.length === 0) return;
  for (const table of [Prisma.sql`page_subscriber`, Prisma.sql`endpoint_subscriber`]) {
    await tx.$executeRaw`
      UPDATE ${table}
         SET row_ids = ARRAY(SELECT id FROM unnest(row_ids) WITH ORDINALITY AS chosen (id, place)
                              WHERE id <> ALL(${gone}) ORDER BY place)
       WHERE page_id = ANY(${pageIds}) AND row_ids && ${gone}`;
  }
}
