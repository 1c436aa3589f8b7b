import { type Client, escapeIdentifier } from 'pg';
import type { BackupTable } from '../archive/records';

/** A table that can hold rows: an ordinary one, or one partition. `references` are the tables that its foreign keys name. */
export type CatalogTable = BackupTable & { references: string[] };

const RANGE = /^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/;

/** All tables of Pharos, in an order in which they can be filled. Partitioned tables are represented by their partitions. */
export async function readCatalog(client: Client): Promise<CatalogTable[]> {
  const { rows } = await client.query<{
    name: string;
    parent: string | null;
    bound: string | null;
    bytes: string;
    columns: string[];
    references: string[];
  }>(`
    SELECT nspname || '.' || relname AS name, ${nameOf('inhparent')} AS parent,
           pg_get_expr(relpartbound, own.oid) AS bound, pg_relation_size(own.oid) AS bytes,
           array(SELECT attname::text
                   FROM pg_attribute
                  WHERE attrelid = own.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
                  ORDER BY attnum) AS columns,
           array(SELECT ${nameOf('confrelid')}
                   FROM pg_constraint
                  WHERE conrelid = own.oid AND contype = 'f' AND confrelid <> conrelid) AS references
      FROM pg_class AS own
      JOIN pg_namespace AS namespace ON namespace.oid = relnamespace
      LEFT JOIN pg_inherits ON inhrelid = own.oid
     WHERE nspname IN ('public', 'raw') AND relkind = 'r'
     ORDER BY nspname, relname`);
  const tables = rows.map(({ parent, bound, bytes, ...row }) => {
    const [, from, to] = RANGE.exec(bound ?? '') ?? [];
    const partition = parent && from && to ? { of: parent, from: toInstant(from), to: toInstant(to) } : null;
    return { ...row, bytes: Number(bytes), partition };
  });
  return sortByReference(tables);
}

/** The name of the table that rows of this one belong to: of a partition, the partitioned table. */
export function ownerOf({ name, partition }: Pick<BackupTable, 'name' | 'partition'>): string {
  return partition?.of ?? name;
}

/** A table name as in SQL. */
export function quoteName(name: string): string {
  return name
    .split('.')
    .map((part) => escapeIdentifier(part))
    .join('.');
}

/** Columns as in SQL. */
export function quoteColumns(columns: readonly string[]): string {
  return columns.map((column) => escapeIdentifier(column)).join(', ');
}

function nameOf(oid: string): string {
  return `
    (SELECT nspname || '.' || relname
       FROM pg_class
       JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE pg_class.oid = ${oid})`;
}

/** PostgreSQL prints bounds in the time zone of the session, which is UTC here: `2026-11-26 00:00:00+00`. */
function toInstant(bound: string): string {
  return new Date(bound).toISOString();
}

function sortByReference(tables: CatalogTable[]): CatalogTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const sorted = new Set<CatalogTable>();
  const place = (table: CatalogTable) => {
    for (const name of table.references) {
      const referenced = byName.get(name);
      if (referenced && !sorted.has(referenced)) place(referenced);
    }
    sorted.add(table);
  };
  for (const table of tables) place(table);
  return [...sorted];
}
