import type { Client } from 'pg';
import type { KnownTable } from '@/lib/platform/db/testing/fill-tables';
import { TREATMENTS } from '../snapshot/table-treatment';

/** Rows as JSON, by table. */
export type Rows = Record<string, Record<string, unknown>[]>;

/** All rows of tables, with the columns that are known of them, in an order that does not depend on where they are stored. */
export async function readRows(
  client: Client,
  tables: readonly (Pick<KnownTable, 'name'> & Partial<Pick<KnownTable, 'columns'>>)[],
): Promise<Rows> {
  const rows: Rows = {};
  for (const { name, columns } of tables) {
    const isKnown = ([column]: [string, unknown]) =>
      columns === undefined || columns.some((each) => each.name === column);
    const result = await client.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(r) AS row FROM ${name.replace(/\.(.+)/, '."$1"')} AS r `,
    );
    rows[name] = sortRows(
      result.rows.map(({ row }) => Object.fromEntries(Object.entries(row).filter(isKnown))),
    );
  }
  return rows;
}

/** What a backup of these rows contains. */
export function treatRows(rows: Rows): Rows {
  return Object.fromEntries(
    Object.entries(rows).map(([name, all]) => {
      const treatment = TREATMENTS[name];
      if (treatment === 'left out') return [name, []];
      const cleared = typeof treatment === 'object' ? treatment.cleared : [];
      const clear = Object.fromEntries(cleared.map((column) => [column, null]));
      return [name, sortRows(all.map((row) => ({ ...row, ...clear })))];
    }),
  );
}

function sortRows(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
