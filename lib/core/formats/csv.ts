import { stringify } from 'csv-stringify/sync';

/** A value of a table; null is an empty cell. */
export type Cell = string | number | null;

/** Rows as CSV (RFC 4180). Cells that a spreadsheet would interpret as formulas get an apostrophe prefix. */
export function writeCsv(rows: readonly (readonly Cell[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    { escape_formulas: true, record_delimiter: 'windows' },
  );
}

/**
 * A list of any length as CSV, one part per page, so that memory does not grow with it. `readPage` reads the page that a cursor names, the
 * first without one.
 */
export async function* writeCsvPages<Item, Cursor>(
  columns: readonly string[],
  readPage: (cursor: Cursor | undefined) => Promise<{ items: readonly Item[]; next: Cursor | null }>,
  toCells: (item: Item) => readonly Cell[],
): AsyncGenerator<string> {
  yield writeCsv([columns]);
  let cursor: Cursor | undefined;
  do {
    const { items, next } = await readPage(cursor);
    yield writeCsv(items.map(toCells));
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}
