import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { createDatabase, type Database } from '@/lib/platform/db/client';
import { TEMPLATE_DATABASE, withDatabase } from './database-server';

/**
 * A new migrated, empty database. `close` disconnects `db` and drops the database, even with open
 * connections.
 */
export type TestDatabase = { url: string; db: Database; close(): Promise<void> };

/** Copies the migrated template on the server of this test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, drop } = await createFrom(TEMPLATE_DATABASE);
  const db = createDatabase(url, { poolSize: 10, name: 'pharos tests' });
  return {
    url,
    db,
    close: async () => {
      await db.$disconnect();
      await drop();
    },
  };
}

/** Creates an empty database, for tests of the migrations themselves; `drop` works like `close` above. */
export function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  return createFrom('template0');
}

/** Copies a database of the test server, to which nobody may be connected. */
export function copyDatabase(url: string): Promise<{ url: string; drop(): Promise<void> }> {
  return createFrom(new URL(url).pathname.slice(1));
}

let serverUrl: Promise<string> | undefined;

/** The URL of the test server's maintenance database. The first test that calls this starts the server. */
export function testServerUrl(): Promise<string> {
  serverUrl ??= fetch(inject('databaseBroker')).then(async (response) => {
    const text = await response.text();
    if (!response.ok) throw new Error(`the test server did not start: ${text}`);
    return text;
  });
  return serverUrl;
}

async function createFrom(template: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  administrator ??= connect();
  const client = await administrator;
  // Copying files costs a tenth of the processor's time of writing each page to the log (30 and 300 ms).
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  return {
    url: withDatabase(await testServerUrl(), name),
    drop: async () => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** What creates and drops all databases of this process: connecting costs client and server 15 ms together. */
let administrator: Promise<Client> | undefined;

async function connect(): Promise<Client> {
  const connectionString = await testServerUrl();
  const socket = new Socket();
  const client = new Client({ connectionString, application_name: 'pharos tests', stream: () => socket });
  await client.connect();
  // The process does not stay for it.
  socket.unref();
  return client;
}

/**
 * Provides the tests of a file (or a `describe`) with a database, created before the first and dropped after
 * the last. Use it only in tests and hooks.
 */
export function useTestDatabase(): Readonly<Pick<TestDatabase, 'url' | 'db'>> {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.close());
  return provide(() => database);
}

let shared: Promise<TestDatabase> | undefined;

/**
 * Provides the tests of a file with the database that all such files of its process have in common, one after the other: for tests that look
 * only at organizations, people and pages of their own. A database of its own costs a file a quarter of a second of the processor. It ends
 * with the server.
 */
export function useSharedDatabase(): Readonly<Pick<TestDatabase, 'url' | 'db'>> {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    shared ??= createTestDatabase();
    database = await shared;
  });
  return provide(() => database);
}

function provide(find: () => TestDatabase | undefined): Readonly<Pick<TestDatabase, 'url' | 'db'>> {
  const open = () => {
    const database = find();
    if (!database) throw new Error('the test database is only available in tests and hooks');
    return database;
  };
  return {
    get url() {
      return open().url;
    },
    get db() {
      return open().db;
    },
  };
}

/** Provides the tests of a file with a pool of at most `max` connections to its database. Use it only in tests and hooks. */
export function useTestPool(database: { readonly url: string }, { max }: { max: number }): () => Pool {
  let pool: Pool | undefined;
  beforeAll(() => {
    pool = new Pool({ connectionString: database.url, max });
    // A pool that has ended has asked its connections to close; the drop of the database can be faster.
    pool.on('error', () => undefined);
  });
  afterAll(() => pool?.end());
  return () => {
    if (!pool) throw new Error('the pool is only available in tests and hooks');
    return pool;
  };
}
