import type { Cursor, Page } from '@/lib/schemas/cursor';

/** The first `limit` of `rows`, which were read with a limit of one more: that one tells that there is a next page. */
export function pageOf<T>(rows: T[], limit: number, placeOf: (row: T) => Cursor): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? placeOf(last) : null };
}
