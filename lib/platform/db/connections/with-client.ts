import { Client, type ClientConfig } from 'pg';

/** Time to connect, in milliseconds, unless set. */
const CONNECT_MS = 5000;

/**
 * Runs `work` on a connection of its own, which is closed afterwards, whatever happens. Rejects with what connecting or
 * `work` rejects with.
 */
export async function withClient<T>(config: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionTimeoutMillis: CONNECT_MS, ...config });
  // A lost connection fails the current statement; without a listener it would also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
