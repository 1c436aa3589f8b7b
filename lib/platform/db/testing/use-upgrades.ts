import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { listMonitors } from '@/lib/domain/monitors/lists/list-monitors';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { createDatabase } from '../client';
import { migrate } from '../migrate';
import { readMigrations } from '../migrations';
import { readSchema } from '../read-schema';
import { fillTables, type KnownTable, readAndUpdateTables, readKnownTables } from './fill-tables';
import {
  connectTo,
  createOldDatabases,
  MIGRATION_NAMES,
  MIGRATIONS,
  type OldDatabases,
} from './old-databases';

type Rows = Record<string, Record<string, unknown>[]>;

/**
 * A check that a filled database with a schema of an earlier version migrates to the schema of a new one and keeps its rows, and that
 * version continues to work if it is served. Call it in the order of the schemas; 0 is the last commit before the first release, where these
 * databases began.
 *
 * Every table has a full row and one without optional values. That old versions continue means: their columns can still be inserted, read
 * and updated. It does not show that old code understands values that only new code writes.
 */
export function useUpgrades(): (number: number) => Promise<void> {
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

  return async (number) => {
    const url = await databases.asOf(number);
    const client = await connectTo(url);
    const tables = await readKnownTables(client);
    await fillTables(client, tables, [1, 2]);
    const before = await readRows(client, tables);
    for (const [table, rows] of Object.entries(before)) expect(rows, table).not.toEqual([]);

    expect(await migrate({ url, directory: MIGRATIONS })).toEqual(MIGRATION_NAMES.slice(number));
    expect(await readSchema(client)).toEqual(schema);

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

    const oldestServed = Math.max(...(await readMigrations(MIGRATIONS)).map(({ serves }) => serves.schema));
    if (Math.max(number, 1) < oldestServed) return;
    await fillTables(client, tables, [3, 4]);
    await readAndUpdateTables(client, tables);
  };
}

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
