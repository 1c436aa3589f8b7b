import { connect, createServer, type Socket } from 'node:net';
import { close, listen } from './targets';

/** What the proxy does to the connections of all processes, or of those in `sources`. */
export type Trouble = {
  /** Milliseconds of real time by which each packet is late. */
  delayMs: number;
  /** Whether the next response to a COMMIT is lost with its connection. */
  losesCommits: boolean;
};

export type DatabaseProxy = {
  /** The URL of the database through this proxy. */
  urlOf(databaseUrl: string): string;
  trouble: Trouble;
  /** Ends every connection, or those from one address. */
  cut(source?: string): void;
  /** Refuses connections from this address and ends them. */
  block(source: string): void;
  unblock(source: string): void;
  close(): Promise<void>;
};

/** A COMMIT as a simple query, and as Prisma and pg send it. */
const COMMIT = Buffer.from('COMMIT');

/** Starts a TCP proxy before PostgreSQL on `port`. */
export async function startDatabaseProxy(port: number): Promise<DatabaseProxy> {
  const trouble: Trouble = { delayMs: 0, losesCommits: false };
  const pairs = new Map<Socket, Socket>();
  const blocked = new Set<string>();
  const server = createServer({ allowHalfOpen: false }, (client) => {
    if (blocked.has(client.remoteAddress ?? '')) return client.destroy();
    const database = connect({ port, host: '127.0.0.1' });
    pairs.set(client, database);
    let isDoomed = false;
    const end = () => {
      pairs.delete(client);
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) socket.setNoDelay(true).on('error', end).on('close', end);
    client.on('data', (chunk) => {
      // The database commits; its response never arrives.
      if (trouble.losesCommits && chunk.includes(COMMIT)) isDoomed = true;
      pass(chunk, database);
    });
    database.on('data', (chunk) => {
      if (isDoomed) end();
      else pass(chunk, client);
    });
  });
  const pass = (chunk: Buffer, to: Socket) => {
    if (trouble.delayMs === 0) to.write(chunk);
    else setTimeout(() => to.writable && to.write(chunk), trouble.delayMs);
  };
  const cut = (source?: string) => {
    for (const [client, database] of pairs) {
      if (source !== undefined && client.remoteAddress !== source) continue;
      client.destroy();
      database.destroy();
    }
  };
  const own = await listen(server);
  return {
    urlOf: (databaseUrl) => {
      const url = new URL(databaseUrl);
      url.port = String(own);
      return url.href;
    },
    trouble,
    cut,
    block: (source) => {
      blocked.add(source);
      cut(source);
    },
    unblock: (source) => void blocked.delete(source),
    close: async () => {
      cut();
      await close(server);
    },
  };
}
