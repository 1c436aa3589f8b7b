import { Client } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { fillTables, type KnownTable, readKnownTables } from '@/lib/platform/db/testing/fill-tables';
import { createEmptyDatabase, useTestDatabase } from '@/lib/testing/database';

/** A database with rows in every table, to back up. Use it only in tests. */
export function useFilled() {
  const source = useTestDatabase();
  let filled: { client: Client; tables: KnownTable[] };
  beforeAll(async () => {
    const client = new Client({ connectionString: source.url });
    client.on('error', () => undefined);
    await client.connect();
    const tables = await readKnownTables(client);
    await fillTables(client, tables, [1, 2, 3]);
    // Several chunks, and what COPY has to escape.
    await client.query(
      `UPDATE marker SET description = (SELECT string_agg(md5(n || id), E'\\n\\t\\\\') FROM generate_series(1, 5000) AS n)`,
    );
    filled = { client, tables };
  });
  afterAll(() => filled.client.end());
  return {
    get url() {
      return source.url;
    },
    get client() {
      return filled.client;
    },
    get tables() {
      return filled.tables;
    },
  };
}

/** The URL of an empty database, dropped after the test. */
export async function createTarget(): Promise<string> {
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  return url;
}
