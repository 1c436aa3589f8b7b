import { Client } from 'pg';

/** Held, shared, while a backup reads: what removes whole tables waits until it has ended. */
export const BACKUP_LOCK = 7274271;

/** Large tables are read from their beginning, and values are written as every version of PostgreSQL writes them. */
const SETTINGS = `
  SET timezone = 'UTC'; SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1;
  SET bytea_output = 'hex'; SET client_encoding = 'UTF8'; SET synchronize_seqscans = off; SET statement_timeout = 0;
  SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET search_path = public`;

/** Runs `work` on a connection of its own to the database at `url`, which must not lead through a pooler. */
export async function withBackupConnection<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectForBackup(url);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A connection that reads and writes rows as `COPY` does in backups. The caller ends it. */
export async function connectForBackup(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: 'pharos backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A lost connection fails the current statement; without a listener it would also end the process.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(SETTINGS);
  return client;
}
