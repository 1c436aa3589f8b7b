import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listMonitors } from '@/lib/domain/monitors/lists/list-monitors';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { createDatabase } from './client';
import { migrate } from './migrate';
import { fillTables, type KnownTable, readAndUpdateTables, readKnownTables } from './testing/fill-tables';
import {
  connectTo,
  createOldDatabases,
  MIGRATION_NAMES,
  MIGRATIONS,
  type OldDatabases,
} from './testing/old-databases';
import { readSchema } from './testing/read-schema';

type Rows = Record<string, Record<string, unknown>[]>;

/** What the schedule no longer says. */
const UNSCHEDULED = [
  ...['claim', 'claimed_by', 'lease_until'],
  ...['last_checked_at', 'last_result_at', 'last_response_time', 'certificate_expires_at', 'is_contested'],
];

/** What migrations changed of existing rows, apart from adding columns. */
const CHANGES: Record<string, (rows: Rows) => void> = {
  '20261123000000_strangers': (rows) => {
    for (const row of rows['public.instance'] ?? []) {
      row.secret_key_checks = [row.secret_key_check];
      delete row.secret_key_check;
    }
  },
  '20261124030000_answers_per_key': (rows) => {
    if (rows['public.idempotent_answer']) rows['public.idempotent_answer'] = [];
  },
  '20261127000000_leased_shards': (rows) => {
    for (const row of rows['public.probe_schedule'] ?? []) {
      for (const column of UNSCHEDULED) delete row[column];
    }
  },
};

/** Versions before this migration can no longer write. Some later ones could, but are not served, because they would decide wrongly. */
const LAST_BREAKING = '20261127000000_leased_shards';

const fresh = useTestDatabase();
let databases: OldDatabases;
/** The schema of a new database. */
let schema: Awaited<ReturnType<typeof readSchema>>;
beforeAll(async () => {
  databases = await createOldDatabases();
  const client = new Client({ connectionString: fresh.url });
  await client.connect();
  schema = await readSchema(client);
  await client.end();
});
afterAll(() => databases.drop());

async function readRows(client: Client, tables: KnownTable[]): Promise<Rows> {
  const parts = tables.map(
    ({ name }) =>
      `('${name}', (SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY to_jsonb(r)::text), '[]') FROM ${name.replace(/\.(.+)/, '."$1"')} AS r))`,
  );
  const { rows } = await client.query<{ found: Rows }>(
    `SELECT jsonb_object_agg(name, rows) AS found FROM (VALUES ${parts.join(', ')}) AS filled (name, rows)`,
  );
  return rows[0]?.found ?? {};
}

/*
 * Every table has a full row and one without optional values. That old versions continue means: their columns can still be
 * inserted, read and updated. It does not show that old code understands values that only new code writes.
 */
describe.each(MIGRATION_NAMES)('a filled database as of %s', (name) => {
  it('migrates to the schema of a new one and keeps its rows; that version continues to work if it is served', async () => {
    const url = await databases.asOf(name);
    const client = await connectTo(url);
    const tables = await readKnownTables(client);
    await fillTables(client, tables, [1, 2]);
    const before = await readRows(client, tables);
    for (const [table, rows] of Object.entries(before)) expect(rows, table).not.toEqual([]);

    const later = MIGRATION_NAMES.slice(MIGRATION_NAMES.indexOf(name) + 1);
    expect(await migrate({ url, directory: MIGRATIONS })).toEqual(later);
    expect(await readSchema(client)).toEqual(schema);

    for (const each of later) CHANGES[each]?.(before);
    const after = await readRows(client, tables);
    for (const [table, rows] of Object.entries(before)) {
      expect(after[table], table).toHaveLength(rows.length);
      expect(after[table], table).toMatchObject(rows);
    }
    const db = createDatabase(url, { poolSize: 1, name: 'pharos tests' });
    onTestFinished(() => db.$disconnect());
    const actor = { kind: 'key', keyId: 'api_key_1', scope: 'write' } as const;
    const ctx = { ...createTestServices({ db }), organizationId: 'organization_1', actor };
    expect((await listMonitors(ctx)).items).toMatchObject([
      { id: 'monitor_1', url: 'https://example.com/1' },
    ]);

    const writeLikeOld = async () => {
      await fillTables(client, tables, [3, 4]);
      await readAndUpdateTables(client, tables);
    };
    const { rows: stated } = await client.query(
      'SELECT oldest_migration AS oldest FROM schema_compatibility',
    );
    expect(stated[0]?.oldest >= LAST_BREAKING).toBe(true);
    if (name < LAST_BREAKING)
      await expect(writeLikeOld()).rejects.toThrow(/violates not-null constraint|column .* does not exist/);
    else await writeLikeOld();
  });
});
