import { Client } from 'pg';
import { DATABASE_USER } from './create-cluster';

/** The name of the database, too. */
const DATABASE = DATABASE_USER;

/** The address of the embedded server, for clients of this machine. */
export function buildUrl(port: number, password: string, database = DATABASE): string {
  return `postgresql://${DATABASE_USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** Runs `use` on one connection that is closed afterwards. Throws what connecting or `use` throws. */
export async function withConnection<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A connection that breaks also rejects the call in flight; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The real path of the data directory that the server at the other end serves. */
export async function readServedDirectory(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ directory: string }>(
    "SELECT current_setting('data_directory') AS directory",
  );
  return rows[0]?.directory ?? null;
}

/**
 * Makes the database where it is missing: the first start may have been killed before it got here. False, and nothing
 * done, when another server than that of `directory` answers: a copy of a DATA_DIR has the same password.
 */
export async function ensureDatabase(options: {
  port: number;
  password: string;
  directory: string;
}): Promise<boolean> {
  const { port, password, directory } = options;
  return withConnection(buildUrl(port, password, 'postgres'), async (client) => {
    if ((await readServedDirectory(client)) !== directory) return false;
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    return true;
  });
}
