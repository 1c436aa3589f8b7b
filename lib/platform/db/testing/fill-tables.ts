import type { Client } from 'pg';
import { escapeIdentifier, escapeLiteral } from 'pg';

/** A column that a version writes. `labels` are those of an enum, `references` the table of a foreign key. */
type Column = {
  name: string;
  type: string;
  required: boolean;
  labels: string[] | null;
  references: string | null;
};

/** The tables that a version knows, in an order in which they can be filled, with the columns it writes. */
export type KnownTable = { name: string; columns: Column[]; isPartitioned: boolean };

const START = Date.parse('2026-03-01T12:00:00Z');
/** The partitions that hold every row. */
const PARTITION = "FOR VALUES FROM ('2026-03-01') TO ('2026-04-01')";

/** Tables with a single row. */
const SINGLE =
  /^(public\.instance|public\.mail_server|public\.reception|public\.scheduled_backup|raw\.rollup_progress)$/;

/** Columns whose values follow from CHECKs, or are read by the tests. Odd rows are full, even ones have no optional values. */
const VALUES: Record<string, (row: number) => string | null> = {
  'api_key.scope': () => 'write',
  'delivery.next_attempt_at': (row) => (row % 2 ? momentOf('next_attempt_at', row) : null),
  'delivery.status': (row) => (row % 2 ? 'pending' : 'delivered'),
  // Together, they refer to a membership.
  'digest_mail.organization_id': (row) => `organization_${row}`,
  'digest_mail.user_id': (row) => `user_${row}`,
  'digest_mail.last_week': () => '2026-02-23',
  'endpoint_subscriber.channel': () => 'webhook',
  'instance.id': () => '1',
  'mail.failed_at': () => null,
  'mail_server.id': () => '1',
  'mail.sent_at': (row) => (row % 2 ? null : momentOf('sent_at', row)),
  'monitor.body_sealed': () => null,
  'monitor.headers_sealed': () => null,
  'monitor.send_sealed': () => null,
  'monitor.interval': () => '60',
  'monitor.method': () => 'GET',
  'monitor.type': () => 'http',
  'monitor.url': (row) => `https://example.com/${row}`,
  'one_time_token.kind': () => 'invitation',
  'one_time_token.organization_id': (row) => `organization_${row}`,
  'one_time_token.role': () => 'member',
  // A migration reads which monitor they are about.
  'outbox_event.kind': () => 'monitor.up',
  'outbox_event.payload': (row) => JSON.stringify({ monitor: { id: `monitor_${row}` } }),
  'organization.reminder_minutes': () => '30',
  'page_image.bytes': (row) => `\\x${String(row).padStart(4, '0')}`,
  'page_image.place': () => 'logo',
  // Together, they refer to a membership.
  'push_subscription.organization_id': (row) => `organization_${row}`,
  'push_subscription.user_id': (row) => `user_${row}`,
  // Together, they refer to a membership.
  'report_mail.organization_id': (row) => `organization_${row}`,
  'report_mail.user_id': (row) => `user_${row}`,
  'rollup_progress.id': () => '1',
  'scheduled_backup.id': () => '1',
  // Others require a password or addresses.
  'status_page.appearance': () => 'light',
  'status_page.uptime_days': () => '90',
  'status_page.visibility': () => 'public',
  // Not the month that the periods are rolled up to.
  'uptime_month.month': () => '2026-01-01',
};

/** The tables of the database as it is now, except for the bookkeeping of migrations. */
export async function readKnownTables(client: Client): Promise<KnownTable[]> {
  const { rows } = await client.query<KnownTable>(`
    SELECT format('%s.%s', nspname, relname) AS name, relkind = 'p' AS "isPartitioned",
           jsonb_agg(jsonb_build_object(
             'name', attname, 'type', format_type(atttypid, NULL), 'required', attnotnull,
             'labels', (SELECT jsonb_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = atttypid),
             'references', (SELECT confrelid::regclass::text FROM pg_constraint
                             WHERE contype = 'f' AND conrelid = attrelid AND conkey = ARRAY[attnum])
           ) ORDER BY attnum) AS columns
      FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
           JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
           LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE nspname IN ('public', 'raw') AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname NOT IN ('_prisma_migrations', 'schema_compatibility')
       -- Clients do not write the columns that count.
       AND coalesce(pg_get_expr(adbin, adrelid) NOT LIKE 'nextval%', true)
     GROUP BY nspname, relname, relkind ORDER BY min(pg_class.oid::bigint)`);
  return sortByReference(rows);
}

function sortByReference(tables: KnownTable[]): KnownTable[] {
  const sorted: KnownTable[] = [];
  const place = (table: KnownTable) => {
    if (sorted.includes(table)) return;
    for (const { references } of table.columns) {
      const owner = tables.find(
        ({ name }) => references !== null && name === `public.${unquote(references)}`,
      );
      if (owner && owner !== table) place(owner);
    }
    sorted.push(table);
  };
  for (const table of tables) place(table);
  return sorted;
}

/** Inserts these rows into every table, with the statements of a version that knows `tables`. */
export async function fillTables(client: Client, tables: KnownTable[], rows: number[]): Promise<void> {
  const statements = tables.flatMap((table) => [
    ...(table.isPartitioned
      ? [`CREATE TABLE IF NOT EXISTS ${table.name}_2026 PARTITION OF ${table.name} ${PARTITION}`]
      : []),
    ...(SINGLE.test(table.name) ? [1] : rows).map((row) => insert(table, row)),
  ]);
  await client.query(statements.join(';\n'));
}

/** Reads and updates all rows of every table, with the columns of a version that knows `tables`. */
export async function readAndUpdateTables(client: Client, tables: KnownTable[]): Promise<void> {
  const statements = tables.flatMap(({ name, columns }) => {
    const names = columns.map((column) => escapeIdentifier(column.name));
    const table = quoteTable(name);
    return [
      `SELECT ${names.join(', ')} FROM ${table}`,
      `UPDATE ${table} SET ${names.map((column) => `${column} = ${column}`).join(', ')}`,
    ];
  });
  await client.query(statements.join(';\n'));
}

function insert({ name, columns }: KnownTable, row: number): string {
  const table = name.replace(/^\w+\./, '');
  const names = columns.map((column) => escapeIdentifier(column.name)).join(', ');
  const values = columns.map((column) => {
    const value = sampleValue(table, column, row);
    return value === null ? 'NULL' : escapeLiteral(value);
  });
  return `INSERT INTO ${quoteTable(name)} (${names}) VALUES (${values.join(', ')}) ON CONFLICT DO NOTHING`;
}

function sampleValue(
  table: string,
  { name, type, required, labels, references }: Column,
  row: number,
): string | null {
  const value = VALUES[`${table}.${name}`];
  if (value) return value(row);
  if (!required && row % 2 === 0 && !type.endsWith('[]')) return null;
  if (references) return `${unquote(references)}_${row}`;
  if (labels) return labels[(row - 1) % labels.length] ?? null;
  switch (type) {
    case 'text':
      return name === 'id' ? `${table}_${row}` : `${name} ${row}`;
    case 'text[]':
      return `{"one ${row}","two"}`;
    case 'integer[]':
    case 'smallint[]':
      return `{${row}}`;
    case 'jsonb':
      return JSON.stringify({ row });
    case 'bytea':
      return `\\x0${row}`;
    case 'boolean':
      return 'true';
    case 'uuid':
      return `00000000-0000-4000-8000-00000000000${row}`;
    case 'timestamp with time zone':
      return momentOf(name, row);
    // Numbers. Outcomes and the like are small.
    default:
      return String(row % 3);
  }
}

/** Ends are after starts. */
function momentOf(column: string, row: number): string {
  const hours = /^(ends|expires|to|ended|resolved)_at$/.test(column) ? 1 : 0;
  return new Date(START + row * 60_000 + hours * 3_600_000).toISOString();
}

function quoteTable(name: string): string {
  return name
    .split('.')
    .map((part) => escapeIdentifier(part))
    .join('.');
}

function unquote(name: string): string {
  return name.replaceAll('"', '');
}
