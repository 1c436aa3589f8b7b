import type { Client } from 'pg';
import { formatCommand } from '@/lib/command-line';
import { describeError, StartupError } from '@/lib/core/errors';
import type { Keyring } from '@/lib/core/keyring';
import { formatBytes } from '@/lib/core/text';
import { hasSecretKeys } from '@/lib/domain/context/services';
import { withClient } from '@/lib/platform/db/connections/with-client';
import { readPendingMigrations } from '@/lib/platform/db/migrate';
import { type DoctorFinding, ok, warning, wrong } from './finding';

/** What PostgreSQL says of itself. */
export type DatabaseFacts = {
  /** As in `server_version_num`: 140005 is 14.5. */
  version: number;
  latencyMs: number;
  /** How far its clock is ahead of that of this machine. */
  clockAheadMs: number;
  /** Whether it keeps what it confirmed after a power failure. */
  isDurable: boolean;
  connections: number;
  maxConnections: number;
  bytes: number;
};

const LATENCY_SAMPLES = 5;
const OLDEST_VERSION = 140_000;
/** Every check, delivery and page waits for the database a few times. */
const SLOW_MS = 20;
const MAX_CLOCK_DIFFERENCE_MS = 2000;
const MAX_CONNECTION_SHARE = 0.8;

type Inspected = {
  findings: DoctorFinding[];
  /** Null: it cannot be reached. */
  facts: DatabaseFacts | null;
};

/** Inspects the database at `url`, which leads to PostgreSQL itself, without changing anything. */
export async function inspectDatabase(
  url: string,
  { keyring, migrations }: { keyring: Keyring; migrations: string },
): Promise<Inspected> {
  let isConnected = false;
  const config = { connectionString: url, application_name: 'pharos doctor' };
  try {
    return await withClient(config, async (client) => {
      isConnected = true;
      const facts = await readFacts(client);
      const schema = await inspectSchema(client, migrations);
      const secretKey = await inspectSecretKey(client, keyring);
      return { findings: [...judgeDatabase(facts), schema, ...secretKey], facts };
    });
  } catch (error) {
    if (isConnected) throw error;
    const { hostname, port } = new URL(url);
    const message = `PostgreSQL at ${hostname}:${port || 5432} cannot be reached: ${describeError(error)}.`;
    const remedy = 'Check that it is running, and the settings DATABASE_URL and DATABASE_DIRECT_URL.';
    return { findings: [wrong('database', message, remedy)], facts: null };
  }
}

async function readFacts(client: Client): Promise<DatabaseFacts> {
  const latencies: number[] = [];
  let clockAheadMs = 0;
  for (let sample = 0; sample < LATENCY_SAMPLES; sample += 1) {
    const begun = performance.now();
    const { rows } = await client.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    const latency = performance.now() - begun;
    latencies.push(latency);
    clockAheadMs = Math.round((rows[0]?.ms ?? 0) - (Date.now() - latency / 2));
  }
  const { rows } = await client.query<Omit<DatabaseFacts, 'latencyMs' | 'clockAheadMs'>>(`
    SELECT current_setting('server_version_num')::int AS version,
           current_setting('fsync')::bool AND current_setting('full_page_writes')::bool AS "isDurable",
           (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
           current_setting('max_connections')::int AS "maxConnections",
           pg_database_size(current_database())::float8 AS bytes`);
  const [facts] = rows;
  if (!facts) throw new Error('PostgreSQL returned no settings');
  const latencyMs = latencies.toSorted((a, b) => a - b)[Math.floor(LATENCY_SAMPLES / 2)] ?? 0;
  return { ...facts, latencyMs, clockAheadMs };
}

/** Judges what PostgreSQL says of itself. */
export function judgeDatabase(facts: DatabaseFacts): DoctorFinding[] {
  return [judgeVersion(facts), judgeClock(facts), ...judgeDurability(facts), judgeConnections(facts)];
}

function judgeVersion({ version, latencyMs, bytes }: DatabaseFacts): DoctorFinding {
  const shown = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  const latency = `${latencyMs.toFixed(1)} ms`;
  if (version < OLDEST_VERSION) {
    return wrong('database', `${shown} is not supported.`, 'Use PostgreSQL 14 or later.');
  }
  if (latencyMs > SLOW_MS) {
    const message = `${shown} takes ${latency} for the simplest query.`;
    return warning(
      'database',
      message,
      'Run Pharos in the network of its database. Checks from afar need only a probe.',
    );
  }
  return ok('database', `${shown} responds in ${latency}; ${formatBytes(bytes)} are stored.`);
}

function judgeClock({ clockAheadMs }: DatabaseFacts): DoctorFinding {
  const seconds = `${(Math.abs(clockAheadMs) / 1000).toFixed(1)} s`;
  if (Math.abs(clockAheadMs) <= MAX_CLOCK_DIFFERENCE_MS) {
    return ok('clock', `The clocks of this machine and of the database differ by ${seconds}.`);
  }
  const message = `The clock of this machine is ${seconds} ${clockAheadMs > 0 ? 'behind' : 'ahead of'} that of the database. Pharos uses the latter.`;
  return warning(
    'clock',
    message,
    'Synchronize both with NTP: sign-in with providers and certificates depend on it.',
  );
}

function judgeDurability({ isDurable }: DatabaseFacts): DoctorFinding[] {
  if (isDurable) return [];
  const message = 'fsync or full_page_writes is off: a power failure can destroy the database.';
  return [wrong('durability', message, 'Set both to on in the configuration of PostgreSQL.')];
}

function judgeConnections({ connections, maxConnections }: DatabaseFacts): DoctorFinding {
  const share = `${connections} of ${maxConnections} connections are in use.`;
  if (connections <= maxConnections * MAX_CONNECTION_SHARE) return ok('connections', share);
  return warning('connections', share, 'Raise max_connections, lower DATABASE_POOL, or use PgBouncer.');
}

async function inspectSchema(client: Client, directory: string): Promise<DoctorFinding> {
  try {
    const pending = await readPendingMigrations(client, directory);
    if (pending.length === 0) return ok('schema', 'The database has the schema of this version.');
    const message = `${pending.length} migrations are pending, the last of them ${pending.at(-1)}.`;
    return warning('schema', message, `The next start applies them, or run ${formatCommand('migrate')}.`);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return wrong('schema', 'The database is not one that this version can use.', `${error.message}.`);
  }
}

/** Before the first migration there is no key to compare. */
async function inspectSecretKey(client: Client, keyring: Keyring): Promise<DoctorFinding[]> {
  const { rows: tables } = await client.query("SELECT 1 WHERE to_regclass('instance') IS NOT NULL");
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ checks: string[] }>(
    'SELECT secret_key_checks AS checks FROM instance',
  );
  const checks = rows.flatMap((row) => row.checks);
  if (hasSecretKeys(keyring, checks))
    return [ok('secret key', 'SECRET_KEY opens what is stored in the database.')];
  return [
    wrong(
      'secret key',
      'SECRET_KEY is not the key that this database was used with.',
      'Set SECRET_KEY to that key, or add that key to PREVIOUS_SECRET_KEYS.',
    ),
  ];
}
