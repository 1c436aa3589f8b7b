import type { Services } from '@/lib/domain/context/services';
import { type PageRow, readPageRow } from '@/lib/domain/status-pages/page-row';
import { readMonitorNames } from '@/lib/domain/status-pages/public/read-public-incidents';
import { listRowIds, listRows, listSections } from '@/lib/domain/status-pages/sections/list-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { ChosenRows } from '@/lib/schemas/status-pages/subscriber';

/** A section of a page, or all of a page without any: its rows with the names that the page gives them. */
export type RowGroup = {
  /** Unique on the page. */
  anchor: string;
  /** Null without sections. */
  name: string | null;
  rows: { id: string; name: string }[];
};

/** The rows of a page that subscribers can choose, in display order. */
export async function listRowGroups({ db }: Pick<Services, 'db'>, page: PageRow): Promise<RowGroup[]> {
  const monitors = await readMonitorNames(db, page.monitors);
  const named = listRows(page, monitors).map(({ id, name }) => ({ id, name }));
  if (page.sections.length === 0) return [{ anchor: 'systems', name: null, rows: named }];
  const byId = new Map(named.map((row) => [row.id, row]));
  return listSections(page).map(({ anchor, name, rows }) => ({
    anchor,
    name,
    rows: rows.flatMap(({ id }) => byId.get(id) ?? []),
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
