import type { Client } from 'pg';
import { StartupError } from '@/lib/core/errors';
import type { Migration } from './migrations';
import { readSchema, type SchemaNames } from './read-schema';

/** Exist only in a transaction that is rolled back. */
const COPY: SchemaNames = { public: 'first_release', raw: 'first_release_raw' };
const MAX_LINE_LENGTH = 120;

/**
 * Throws `StartupError` if the database lacks, or has otherwise, what the first migration creates. Objects of others do not matter. Runs in
 * a transaction and changes nothing: the migration creates everything elsewhere and is rolled back, so that the same PostgreSQL describes both.
 */
export async function requireSchemaOf(client: Client, first: Migration): Promise<void> {
  const found = new Set(await readSchema(client));
  await client.query('SAVEPOINT comparison');
  await client.query(`CREATE SCHEMA ${COPY.public}; SET LOCAL search_path = ${COPY.public}`);
  await client.query(first.sql.replaceAll(/\braw(?=[.;])/g, COPY.raw));
  const expected = await readSchema(client, COPY);
  await client.query('ROLLBACK TO SAVEPOINT comparison');
  const [missing, ...others] = expected.filter((line) => !found.has(line));
  if (missing === undefined) return;
  const line = missing.replaceAll(/\s+/g, ' ').slice(0, MAX_LINE_LENGTH);
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  throw new StartupError(
    `the schema of the database was changed: it lacks "${line}"${more}. Nothing was changed. Undo that change, or restore a backup, then start again`,
  );
}
