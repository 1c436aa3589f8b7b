import { Client } from 'pg';
import { beforeAll, onTestFinished } from 'vitest';
import { copyDatabase, createEmptyDatabase } from '@/lib/testing/database';
import { fillTables, readKnownTables } from './fill-tables';
import { connectTo, migrateUnnumbered } from './old-databases';

/** Copies of a database of the last commit without numbers, with rows in every table, each dropped after its test. */
export function useUnnumbered() {
  let template: Awaited<ReturnType<typeof createEmptyDatabase>>;
  beforeAll(async () => {
    template = await createEmptyDatabase();
    await migrateUnnumbered(template.url);
    const client = new Client({ connectionString: template.url });
    await client.connect();
    await fillTables(client, await readKnownTables(client), [1, 2, 3]);
    await client.end();
    return template.drop;
  });
  return async () => {
    const { url, drop } = await copyDatabase(template.url);
    onTestFinished(drop);
    const client = await connectTo(url);
    return { url, client, tables: await readKnownTables(client) };
  };
}

export const readVersion = async (client: Client) =>
  (await client.query('SELECT oldest_release, oldest_migration FROM schema_compatibility')).rows;
