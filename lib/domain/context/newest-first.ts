import type { Prisma } from '@/lib/platform/db/generated/client';
import { type Cursor, type Page, pageOf } from '@/lib/schemas/cursor';

type Created = { createdAt: Date; number: bigint };

/** The order of lists whose cursors consist of the time of creation and the row's number. */
export const NEWEST_FIRST = [
  { createdAt: 'desc' },
  { number: 'desc' },
] satisfies Prisma.IncidentOrderByWithRelationInput[];

/** The rows after a cursor in that order. The redundant `createdAt <=` lets the index scan start at the cursor. */
export function createdBefore(cursor: Cursor | null | undefined) {
  if (!cursor) return {};
  const { at, tie } = cursor;
  return { createdAt: { lte: at }, OR: [{ createdAt: { lt: at } }, { number: { lt: tie } }] };
}

/** `pageOf` for rows in that order, as items of the API. */
export function pageOfCreated<Row extends Created, Item>(
  rows: Row[],
  limit: number,
  serialize: (row: Row) => Item,
): Page<Item> {
  const { items, next } = pageOf(rows, limit, ({ createdAt, number }) => ({
    at: createdAt,
    tie: Number(number),
  }));
  return { items: items.map(serialize), next };
}
