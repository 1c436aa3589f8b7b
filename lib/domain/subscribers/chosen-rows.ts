import type { Services } from '@/lib/domain/context/services';
import { type PageRow, readPageRow } from '@/lib/domain/status-pages/page-row';
import { listRowIds, listRows, listSections } from '@/lib/domain/status-pages/sections/list-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { ChosenRows } from '@/lib/schemas/status-pages/subscriber';

/** Rows of a page that belong together, with the names that the page gives them; `name` is null without sections. */
export type RowGroup = { name: string | null; rows: { id: string; name: string }[] };

/** The rows of a page that subscribers can choose, in display order. */
export async function listRowGroups({ db }: Pick<Services, 'db'>, page: PageRow): Promise<RowGroup[]> {
  const where = { id: { in: page.monitors } };
  const found = await db.monitor.findMany({ where, select: { id: true, name: true } });
  const byId = new Map(found.map((monitor) => [monitor.id, monitor]));
  const rows = listRows(
    page,
    page.monitors.flatMap((id) => byId.get(id) ?? []),
  ).map(({ id, name }) => ({ id, name }));
  if (page.sections.length === 0) return [{ name: null, rows }];
  const named = new Map(rows.map((row) => [row.id, row]));
  return listSections(page).map((section) => ({
    name: section.name,
    rows: section.rows.flatMap(({ id }) => named.get(id) ?? []),
  }));
}

/**
 * The columns of a choice, without rows that have left the page. The transaction has locked the page; its monitors are locked here, so that
 * `forgetRows` finds the choice if one of them is deleted meanwhile.
 */
export async function lockChosenRows(tx: Transaction, pageId: string, chosen: ChosenRows) {
  if (chosen === null) return { rowIds: [], choseRows: false };
  const { sections } = await readPageRow(tx, Prisma.sql`id = ${pageId}`);
  const monitors = await tx.$queryRaw<{ id: string }[]>`
    SELECT monitor_id AS id FROM status_page_monitor
     WHERE page_id = ${pageId} AND monitor_id = ANY(${chosen}) FOR KEY SHARE`;
  const known = new Set(listRowIds({ monitors: monitors.map(({ id }) => id), sections }));
  return { rowIds: chosen.filter((id) => known.has(id)), choseRows: true };
}
