/** A position in a list ordered by time and then by a whole number: right after the item with these values. */
export type Cursor = { at: Date; tie: number };

/** One page of a list and the cursor of the next page; null on the last page. */
export type Page<T> = { items: T[]; next: Cursor | null };

const FORM = /^(\d{1,13})\.(\d{1,15})$/;

/** The first `limit` of `rows`, which were read with a limit of one more to detect a next page. */
export function pageOf<T>(rows: T[], limit: number, placeOf: (row: T) => Cursor): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? placeOf(last) : null };
}

/** The cursor as an opaque, URL-safe string. */
export function formatCursor({ at, tie }: Cursor): string {
  return btoa(`${at.getTime()}.${tie}`).replaceAll('=', '');
}

/** Parses the output of `formatCursor`; null for any other text. */
export function parseCursor(text: string): Cursor | null {
  const [, at, tie] = FORM.exec(decode(text)) ?? [];
  if (at === undefined || tie === undefined) return null;
  const cursor = { at: new Date(Number(at)), tie: Number(tie) };
  return Number.isNaN(cursor.at.getTime()) || formatCursor(cursor) !== text ? null : cursor;
}

/** A position in a list of groups, such as open and resolved: right after the item with this group and cursor. */
export type GroupCursor<Group extends string> = Cursor & { group: Group };

/** The position as an opaque, URL-safe string. */
export function formatGroupCursor({ group, ...cursor }: GroupCursor<string>): string {
  return `${group}.${formatCursor(cursor)}`;
}

/** Parses the output of `formatGroupCursor`; null for any other text. */
export function parseGroupCursor<Group extends string>(
  groups: readonly Group[],
  text: string,
): GroupCursor<Group> | null {
  const [name = '', ...rest] = text.split('.');
  const group = groups.find((each) => each === name);
  const cursor = parseCursor(rest.join('.'));
  return group && cursor ? { group, ...cursor } : null;
}

function decode(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
