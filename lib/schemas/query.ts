import { z } from 'zod';
import { DomainError } from '@/lib/core/errors';
import { REGION_IDS } from './regions';
import { text } from './text';

type Paging = { sort: string; limit?: number; cursor?: string };

type Place = [key: string | number, id: string];

/** A place in a list ordered by time, then by a whole number: right after the element that has these. */
export type Cursor = { at: Date; tie: number };

/** One page of a list, and where the next begins; null when there is none. */
export type Page<T> = { items: T[]; next: Cursor | null };

const FORM = /^(\d{1,13})\.(\d{1,15})$/;

/** A query parameter that names a region. */
export const regionQuery = z.enum(REGION_IDS, `must be one of ${REGION_IDS.join(', ')}`);

const LIMIT = 'must be a whole number from 1 to 100';

/** The parameters of every list that grows by itself: how many (1 to 100, 50 by default), and after which. */
export const pageQuery = {
  limit: z
    .string(LIMIT)
    .max(3, LIMIT)
    .regex(/^\d{1,3}$/, LIMIT)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 100, LIMIT)
    .default(50),
  cursor: z
    .string('must be a text')
    .max(1000, 'must be the cursor of a page that was answered before')
    .transform((text, ctx) => {
      const cursor = parseCursor(text);
      if (cursor) return cursor;
      ctx.issues.push({
        code: 'custom',
        input: text,
        message: 'must be the cursor of a page that was answered before',
      });
      return z.NEVER;
    })
    .optional(),
};

const BY_TIME = ['createdAt', '-createdAt'] as const;

const BY_NAME = ['name', '-name'] as const;

/** The query of a list that answers everything unless `limit` is given. */
export const timedListQuery = wholeListQuery(BY_TIME);

/** The same, of things with names. */
export const namedListQuery = wholeListQuery([...BY_TIME, ...BY_NAME]);

/** The first `limit` of `rows`, which were read with a limit of one more: that one tells that there is a next page. */
export function pageOf<T>(rows: T[], limit: number, placeOf: (row: T) => Cursor): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? placeOf(last) : null };
}

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

function wholeListQuery(sorts: readonly [...typeof BY_TIME, ...(typeof BY_NAME)[number][]]) {
  return z.strictObject({
    q: text(1, 200).optional().meta({ description: 'Part of the text, in any case' }),
    sort: z
      .enum(sorts, `must be one of ${sorts.join(', ')}`)
      .default('-createdAt')
      .meta({ description: '`-` for descending' }),
    limit: pageQuery.limit.unwrap().optional(),
    cursor: z.string().max(1000).optional(),
  });
}

/**
 * One page of a list in the order of `sortKey`, then of ids, and the cursor of the next page; null where there is none. A
 * cursor names a place in the order and not an item, so that a page can be asked for after its predecessor's last item is
 * gone. Throws VALIDATION_ERROR for a cursor that was never answered.
 */
export function pageItems<T extends { id: string }>(
  items: readonly T[],
  { sort, limit, cursor }: Paging,
  sortKey: (item: T) => string | number,
): { items: T[]; next: string | null } {
  const direction = sort.startsWith('-') ? -1 : 1;
  const after = cursor === undefined ? null : parsePlace(cursor);
  const placed = items
    .map((item) => ({ item, place: [sortKey(item), item.id] satisfies Place as Place }))
    .filter(({ place }) => after === null || direction * comparePlaces(place, after) > 0)
    .sort((a, b) => direction * comparePlaces(a.place, b.place));
  const page = placed.slice(0, limit);
  const last = page.at(-1);
  const next = last && page.length < placed.length ? formatPlace(last.place) : null;
  return { items: page.map(({ item }) => item), next };
}

/** `pageItems` for answers of the API, which are few: those that hold `q` in one of `texts`, by creation or by name. */
export function pageAnswers<T extends { id: string; createdAt: string; name?: string | null }>(
  answers: readonly T[],
  query: Paging & { q?: string },
  texts: (answer: T) => string[],
): { items: T[]; next: string | null } {
  const wanted = query.q?.toLowerCase() ?? '';
  const fitting = answers.filter((answer) => texts(answer).some((one) => one.toLowerCase().includes(wanted)));
  const isByName = query.sort.endsWith('name');
  return pageItems(fitting, query, (answer) =>
    isByName ? (answer.name ?? '').toLowerCase() : answer.createdAt,
  );
}

function comparePlaces([a, idA]: Place, [b, idB]: Place): number {
  if (a !== b) return a < b ? -1 : 1;
  return idA === idB ? 0 : idA < idB ? -1 : 1;
}

function formatPlace(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function parsePlace(cursor: string): Place {
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if ((typeof key === 'string' || typeof key === 'number') && typeof id === 'string') return [key, id];
  } catch {
    // Refused below, like what is no place.
  }
  const detail = {
    path: 'cursor',
    code: 'invalid',
    message: 'must be the cursor of a page that was answered before',
  };
  throw new DomainError('VALIDATION_ERROR', 'The request is not valid: cursor.', [detail]);
}
