import { z } from 'zod';
import { type DomainError, invalidField } from '@/lib/core/errors';
import { described } from '@/lib/schemas/described';
import { parseCursor } from './cursor';
import { oneOf, text } from './text';

type Paging = { sort: string; limit?: number; cursor?: string };
/** A position in a list ordered by a key and then by ID. */
export type Place = [key: string | number, id: string];

/** A query parameter that is true or false; undefined if omitted. */
export const flagQuery = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .optional();

/** The query of a PUT that creates what does not exist only if asked to. */
export const upsertQuery = z.strictObject({
  upsert: flagQuery.meta({ description: 'Whether to create what does not exist' }),
});

const LIMIT = 'must be a whole number from 1 to 100';
const CURSOR = 'must be a cursor returned by a previous request';

/** In the address it is text, but clients handle a number. */
function asInteger(schema: z.core.JSONSchema.BaseSchema): void {
  for (const key of ['maxLength', 'pattern']) delete schema[key];
  Object.assign(schema, { type: 'integer', minimum: 1, maximum: 100 });
}

/** The parameters of every paginated list: how many items (1–100, 50 by default) and the cursor. */
export const pageQuery = {
  limit: described(
    z
      .string(LIMIT)
      .max(3, LIMIT)
      .regex(/^\d{1,3}$/, LIMIT)
      .meta({
        override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => asInteger(jsonSchema),
      })
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= 100, LIMIT)
      .default(50),
    'How many to return',
    50,
  ),
  cursor: described(
    z
      .string('must be a string')
      .max(1000, CURSOR)
      .transform((text, ctx) => {
        const cursor = parseCursor(text);
        if (cursor) return cursor;
        ctx.issues.push({ code: 'custom', input: text, message: CURSOR });
        return z.NEVER;
      })
      .optional(),
    'Where to continue: from the `Link` of the previous page',
    'MTc3NDM',
  ),
};

/** A parameter in the address of a screen, where invalid values are ignored. */
export const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/** A position in a list on a screen; null for the first page. `parse` returns null for unknown text. */
export const placeOnScreen = <Place>(parse: (text: string) => Place | null) =>
  lenient(z.string().max(1000)).transform((text) => (text === undefined ? null : parse(text)));

/** The paging of a list that returns everything unless `limit` is given. */
export const wholeListPaging = {
  limit: described(pageQuery.limit.unwrap().optional(), 'How many to return', 50),
  cursor: described(
    z.string().max(1000).optional(),
    'Where to continue: from the `Link` of the previous page',
    'MTc3NDM',
  ),
};

/** The query of such a list. */
export const timedListQuery = wholeListQuery(['createdAt', '-createdAt']);
/** The same, for resources with names. */
export const namedListQuery = wholeListQuery(['createdAt', '-createdAt', 'name', '-name']);

function wholeListQuery(sorts: readonly ('createdAt' | '-createdAt' | 'name' | '-name')[]) {
  return z.strictObject({
    q: described(text(1, 200).optional(), 'Part of the text, case-insensitive', 'shop'),
    sort: oneOf(sorts).default('-createdAt').describe('`-` for descending'),
    ...wholeListPaging,
  });
}

/**
 * One page of a list ordered by `sortKey`, then by ID, and the cursor of the next page; null on the last page. A cursor is a
 * position in the order, so it stays valid after its item is deleted. Throws VALIDATION_ERROR for an invalid cursor.
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

/** `pageItems` for resources of a short list: those with `q` in one of `texts`, by creation time or by name. */
export function searchAndPage<T extends { id: string; createdAt: string; name?: string | null }>(
  resources: readonly T[],
  query: Paging & { q?: string },
  texts: (resource: T) => string[],
): { items: T[]; next: string | null; total: number } {
  const wanted = query.q?.toLowerCase() ?? '';
  const matching = resources.filter((each) =>
    texts(each).some((text) => text.toLowerCase().includes(wanted)),
  );
  const isByName = query.sort.endsWith('name');
  const sortKey = (each: T) => (isByName ? (each.name ?? '').toLowerCase() : each.createdAt);
  return { ...pageItems(matching, query, sortKey), total: matching.length };
}

function comparePlaces([a, idA]: Place, [b, idB]: Place): number {
  if (a !== b) return a < b ? -1 : 1;
  return idA === idB ? 0 : idA < idB ? -1 : 1;
}

/** The position as an opaque, URL-safe string. */
export function formatPlace(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Parses the output of `formatPlace`. Throws VALIDATION_ERROR for any other text. */
export function parsePlace(cursor: string): Place {
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if ((typeof key === 'string' || typeof key === 'number') && typeof id === 'string') return [key, id];
  } catch {
    // Rejected below, like JSON that is not a position.
  }
  throw invalidCursor();
}

/** The error for a cursor that does not belong to the list. */
export function invalidCursor(): DomainError {
  return invalidField('cursor', CURSOR);
}
