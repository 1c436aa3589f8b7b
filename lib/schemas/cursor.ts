/** A place in a list ordered by time, then by a whole number: right after the element that has these. */
export type Cursor = { at: Date; tie: number };

/** One page of a list, and where the next begins; null when there is none. */
export type Page<T> = { items: T[]; next: Cursor | null };

/** The first `limit` of `rows`, which were read with a limit of one more: that one tells that there is a next page. */
export function pageOf<T>(rows: T[], limit: number, placeOf: (row: T) => Cursor): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? placeOf(last) : null };
}

const FORM = /^(\d{1,13})\.(\d{1,15})$/;

/** The cursor as callers hand it back: opaque to them, fit for a URL as it is. */
export function formatCursor({ at, tie }: Cursor): string {
  return btoa(`${at.getTime()}.${tie}`).replaceAll('=', '');
}

/** The place that a cursor names; null for a text that `formatCursor` never made. */
export function parseCursor(text: string): Cursor | null {
  const [, at, tie] = FORM.exec(decode(text)) ?? [];
  if (at === undefined || tie === undefined) return null;
  const cursor = { at: new Date(Number(at)), tie: Number(tie) };
  return Number.isNaN(cursor.at.getTime()) || formatCursor(cursor) !== text ? null : cursor;
}

function decode(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
