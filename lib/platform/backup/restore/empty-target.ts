import { StartupError } from '@/lib/core/errors';
import { withClient } from '@/lib/platform/db/connections/with-client';
import { withBackupConnection } from '../snapshot/connect';

/** What is in a database: no table of Pharos; tables of an installation that nobody has set up; or data. */
export type TargetState = 'empty' | 'not set up' | 'in use';

/** Looks what a backup would replace at `url`. */
export function readTargetState(url: string): Promise<TargetState> {
  return withBackupConnection(url, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(
      `SELECT to_regclass('public.organization') IS NOT NULL AS exists`,
    );
    if (!rows[0]?.exists) return 'empty';
    const { rowCount } = await client.query('SELECT FROM organization UNION ALL SELECT FROM "user" LIMIT 1');
    return rowCount === 0 ? 'not set up' : 'in use';
  });
}

/** Throws StartupError if the database at `url` contains data, or if processes of Pharos are connected to it. */
export async function requireUnused(url: string): Promise<TargetState> {
  const state = await readTargetState(url);
  if (state === 'in use') {
    throw new StartupError(
      'the database already contains an installation: restore into an empty one, with another DATA_DIR or DATABASE_URL',
    );
  }
  await requireStopped(url);
  return state;
}

/** Throws StartupError if processes of Pharos are connected to the database at `url`. */
export async function requireStopped(url: string): Promise<void> {
  const names = await listProcesses(url);
  if (names.length === 0) return;
  throw new StartupError(
    `processes of Pharos use the database (${names.join(', ')}): stop the service, then run the command again`,
  );
}

/** The names of the processes of Pharos that are connected to the database at `url`, except those that copy or migrate it. */
export function listProcesses(url: string): Promise<string[]> {
  return withBackupConnection(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT DISTINCT application_name AS name FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'pharos %'
          AND application_name NOT IN ('pharos backup', 'pharos migrate') ORDER BY name`,
    );
    return rows.map(({ name }) => name);
  });
}

/** Replaces the database at `url` with an empty one of the same name. The user must be allowed to create databases. */
export async function recreateDatabase(url: string): Promise<void> {
  const maintenance = new URL(url);
  const name = decodeURIComponent(maintenance.pathname.slice(1));
  maintenance.pathname = '/postgres';
  await withClient({ connectionString: maintenance.href }, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  });
}
