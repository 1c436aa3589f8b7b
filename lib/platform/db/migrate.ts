import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { describeError, StartupError } from '@/lib/core/errors';
import { unreachable } from './connections/wait-for-database';
import { inShortAttempts, type LockPatience } from './locks/lock-attempts';
import { LOCK_PATIENCE_MS } from './locks/lock-waits';
import { type Migration, type OldestServed, readMigrations } from './migrations';
import { readSchema, type SchemaNames } from './read-schema';
import { LAST_UNNUMBERED_COMMIT, UNNUMBERED_MIGRATIONS } from './unnumbered-migrations';

/** Shared by all Pharos processes. */
const MIGRATION_LOCK = 7274267;
const DISK_FULL = '53100';
/** Set when a session begins, which poolers refuse or ignore. */
const DIRECT_MARK = 'pharos.direct';
const REFUSED_OPTIONS = /unsupported startup parameter/;

const PATIENCE: LockPatience = {
  // Longer than deadlock_timeout (1 s by default), after which PostgreSQL cancels an autovacuum that holds the lock.
  attemptMs: 2000,
  pauseMs: 2000,
  totalMs: LOCK_PATIENCE_MS,
};

export type MigrateOptions = {
  url: string;
  /** Contains the migrations. */
  directory: string;
  /** Called with a line of progress every few seconds while a lock is awaited. */
  report?: (line: string) => void;
  /** The number of the last one to apply, as for the rows of an older version; all by default. */
  upTo?: number;
  patience?: LockPatience;
};

/**
 * Applies the migrations below `directory` to the database at `url` and returns the names of those applied. Each is one
 * transaction with its row in `_prisma_migrations`, so a killed process leaves nothing behind. Concurrent processes take turns,
 * and locks are awaited in short attempts. A database of the last commit before the first release has the schema of the first migration,
 * which is then only recorded. Throws `StartupError` when the database cannot be reached, no longer serves this version or is of an older
 * commit, or when a migration fails, which changes nothing.
 */
export async function migrate({
  url,
  directory,
  report = () => undefined,
  upTo = Number.POSITIVE_INFINITY,
  patience = PATIENCE,
}: MigrateOptions): Promise<string[]> {
  const all = await readMigrations(directory);
  const migrations = all.filter(({ number }) => number <= upTo);
  const client = await connect(url);
  let step = 'migrate the database';
  try {
    const isPending = async () => {
      await requireServed(client, all);
      return findPending(client, migrations);
    };
    // Usually all of a start. It does not wait for a newer version that is migrating.
    if ((await isPending()).length === 0) return [];
    const waiting = { url, pid: await prepareSession(client, patience) };
    const attempt = <T>(work: () => Promise<T>, pauseMs = patience.pauseMs) =>
      inShortAttempts(work, { waiting, purpose: step, patience: { ...patience, pauseMs }, report });
    // Nobody else waits for this lock.
    await attempt(() => client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]), 0);
    await attempt(() => inTransaction(client, () => prepareBookkeeping(client)));
    const pending = await isPending();
    for (const migration of pending) {
      step = `apply the migration ${migration.name}`;
      await attempt(() => inTransaction(client, () => apply(client, migration)));
    }
    return pending.map(({ name }) => name);
  } catch (error) {
    throw error instanceof StartupError ? error : explain(error, step);
  } finally {
    await client.end();
  }
}

/**
 * The names of the migrations below `directory` that the database lacks. Throws `StartupError` if it no longer serves this version.
 */
export async function readPendingMigrations(client: Client, directory: string): Promise<string[]> {
  const migrations = await readMigrations(directory);
  await requireServed(client, migrations);
  return (await findPending(client, migrations)).map(({ name }) => name);
}

/** The names of the migrations that were applied to the database at `url`, oldest first. Throws `StartupError` like `migrate`. */
export async function listMigrations(url: string): Promise<string[]> {
  const client = await connect(url);
  try {
    return await readApplied(client);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: 'pharos migrate',
    connectionTimeoutMillis: 10_000,
    options: `-c ${DIRECT_MARK}=on`,
  });
  // A lost connection fails the current statement; without a listener it would also end the process.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    const reason = describeError(error);
    throw REFUSED_OPTIONS.test(reason) ? throughPooler(error) : unreachable(url, reason, error);
  });
  const { rows } = await client.query('SELECT current_setting($1, true) AS mark', [DIRECT_MARK]);
  if (rows[0]?.mark === 'on') return client;
  await client.end();
  throw throughPooler();
}

/** A lock of a session that a pooler gives to others would never be released, or hold up everybody. */
function throughPooler(cause?: unknown): StartupError {
  return new StartupError(
    'DATABASE_URL leads to a connection pooler, such as PgBouncer. Also set DATABASE_DIRECT_URL to the address of PostgreSQL itself, which is used for migrations and notifications',
    { cause },
  );
}

/** Returns the pid of the session in PostgreSQL. */
async function prepareSession(client: Client, { attemptMs }: LockPatience): Promise<number> {
  // Ends the statement of a killed process. Where PostgreSQL does not support it, the statement runs to its end in vain.
  await client.query('SET client_connection_check_interval = 1000').catch(() => undefined);
  const { rows } = await client.query<{ pid: number }>(
    "SELECT pg_backend_pid() AS pid, set_config('lock_timeout', $1, false)",
    [String(attemptMs)],
  );
  return rows[0]?.pid ?? 0;
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    // Fails if the connection was lost, which also rolls back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function exists(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS exists', [table]);
  return rows[0]?.exists === true;
}

/** Throws StartupError if the database was migrated to a version that no longer serves this one. */
async function requireServed(client: Client, migrations: Migration[]): Promise<void> {
  const oldest = await readOldestServed(client);
  const newest = migrations.length;
  if (oldest === null || oldest.schema <= newest) return;
  throw new StartupError(
    `the database was migrated by a newer version and needs Pharos ${oldest.release} or later, which has schema ${oldest.schema}; this version has schema ${newest}. Update Pharos on this machine, then start again`,
  );
}

/** Null before the first migration. */
async function readOldestServed(client: Client): Promise<OldestServed | null> {
  if (!(await exists(client, 'schema_compatibility'))) return null;
  const { rows } = await client.query<{ release: string; migration: string }>(
    'SELECT oldest_release AS release, oldest_migration AS migration FROM schema_compatibility',
  );
  const [row] = rows;
  if (!row) return null;
  // Versions before numbers wrote a name. They have the schema of the first migration.
  const schema = Number(SCHEMA_NUMBER.exec(row.migration)?.[1] ?? 1);
  return { release: row.release, schema };
}

/**
 * Versions before numbers compare this text with the name of their last migration, which begins with a digit: they see that it is greater,
 * and refuse to start.
 */
const formatSchemaNumber = (number: number) => `schema ${number}`;
const SCHEMA_NUMBER = /^schema (\d+)$/;

async function writeOldestServed(client: Client, serves: OldestServed): Promise<void> {
  const known = await readOldestServed(client);
  if (known !== null && known.schema >= serves.schema) return;
  await client.query(
    `INSERT INTO schema_compatibility (oldest_release, oldest_migration) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE
       SET oldest_release = excluded.oldest_release, oldest_migration = excluded.oldest_migration`,
    [serves.release, formatSchemaNumber(serves.schema)],
  );
}

/** Throws StartupError if the database is of a commit before the last one without numbers. */
async function findPending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const applied = new Set(await readApplied(client));
  const pending = migrations.filter(({ name }) => !applied.has(name));
  if (applied.size > 0 && pending[0]?.number === 1) requireUnnumbered(applied);
  return pending;
}

function requireUnnumbered(applied: Set<string>): void {
  const commit = LAST_UNNUMBERED_COMMIT;
  const foreign = [...applied].find((name) => !UNNUMBERED_MIGRATIONS.includes(name));
  if (foreign !== undefined) {
    throw new StartupError(
      `the database has the migration ${foreign}, which neither this version nor the commit ${commit} before the first release contains: start the version that applied it`,
    );
  }
  if (applied.size === UNNUMBERED_MIGRATIONS.length) return;
  throw new StartupError(
    `the database has ${applied.size} of the ${UNNUMBERED_MIGRATIONS.length} migrations before the first release. Start the commit ${commit} once, which applies the others (git checkout ${commit} && npm ci && npm start), then start this version`,
  );
}

async function readApplied(client: Client): Promise<string[]> {
  if (!(await exists(client, '_prisma_migrations'))) return [];
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
  return rows.map(({ name }) => name);
}

/** Creates the table of `prisma migrate deploy`, and completes what a version that used Prisma's engine left in it. */
async function prepareBookkeeping(client: Client): Promise<void> {
  if (!(await exists(client, '_prisma_migrations'))) {
    const { rows } = await client.query(
      'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()',
    );
    if (rows.length > 0) {
      throw new StartupError(
        `could not migrate the database: it already contains other tables, such as "${rows[0].tablename}". Create an empty database and set DATABASE_URL to it`,
      );
    }
  }
  await client.query(`
    CREATE TABLE IF NOT EXISTS _prisma_migrations (
      id VARCHAR(36) PRIMARY KEY NOT NULL,
      checksum VARCHAR(64) NOT NULL,
      finished_at TIMESTAMPTZ,
      migration_name VARCHAR(255) NOT NULL,
      logs TEXT,
      rolled_back_at TIMESTAMPTZ,
      started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
      applied_steps_count INTEGER NOT NULL DEFAULT 0
    )`);
  // The engine counted a step when its script was committed, before it wrote that the migration is finished.
  await client.query(
    `UPDATE _prisma_migrations SET finished_at = now()
      WHERE finished_at IS NULL AND rolled_back_at IS NULL AND applied_steps_count > 0`,
  );
}

/** Runs in a transaction. A row without a step is of an attempt that was rolled back. */
async function apply(client: Client, migration: Migration): Promise<void> {
  const { number, name, sql, checksum, serves } = migration;
  const isThere = number === 1 && (await readApplied(client)).length > 0;
  if (isThere) await requireSchemaOf(client, migration);
  else await client.query(sql);
  await client.query(
    `UPDATE _prisma_migrations SET rolled_back_at = now()
      WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [name],
  );
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
  await writeOldestServed(client, serves);
}

function explain(error: unknown, step: string): StartupError {
  const reason = `could not ${step}: ${describeError(error)}. Nothing was changed`;
  if (error instanceof Error && 'code' in error && error.code === DISK_FULL) {
    return new StartupError(`${reason}. The disk of PostgreSQL is full: free space there, then start again`, {
      cause: error,
    });
  }
  return new StartupError(`${reason}. Correct the cause or restore the backup, then start again`, {
    cause: error,
  });
}

/** Exist only in a transaction that is rolled back. */
const COPY: SchemaNames = { public: 'first_release', raw: 'first_release_raw' };
const MAX_LINE_LENGTH = 120;

/**
 * Throws `StartupError` if the database lacks, or has otherwise, what the first migration creates. Objects of others do not matter. Runs in
 * a transaction and changes nothing: the migration creates everything elsewhere and is rolled back, so that the same PostgreSQL describes both.
 */
async function requireSchemaOf(client: Client, first: Migration): Promise<void> {
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
