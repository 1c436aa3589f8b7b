import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkNow } from '@/e2e/support/check-now';
import { runPharos } from '@/e2e/support/run-pharos';
import { startWorker } from '@/e2e/support/start-worker';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';
import { migrate } from '@/lib/platform/db/migrate';
import { fillTables, readKnownTables } from '@/lib/platform/db/testing/fill-tables';
import {
  connectTo,
  createOldDatabases,
  MIGRATION_NAMES,
  MIGRATIONS,
  type OldDatabases,
} from '@/lib/platform/db/testing/old-databases';
import { readSchema } from '@/lib/platform/db/testing/read-schema';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { startTarget } from '@/lib/testing/target';

const program = fileURLToPath(new URL('../pharos.mjs', import.meta.url));

/** Runs `pharos migrate` until it waits for a lock and holds one on `held`, then kills it. */
async function killWaiting(url: string, client: Client, held: string): Promise<void> {
  const unset = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
  const env = childEnvironment({ ...unset, DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY });
  const child = spawn(process.execPath, [program, 'migrate'], { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const isHalfway = async () => {
    const { rows } = await client.query(
      `SELECT FROM pg_stat_activity JOIN pg_locks USING (pid)
        WHERE application_name = 'pharos migrate' AND wait_event_type = 'Lock'
          AND relation = to_regclass($1) AND mode = 'AccessExclusiveLock' AND granted`,
      [held],
    );
    return rows.length > 0;
  };
  await expect.poll(isHalfway, { interval: 20 }).toBe(true);
  child.kill('SIGKILL');
  await exited;
}

describe('pharos migrate, killed', () => {
  let databases: OldDatabases;
  beforeAll(async () => {
    databases = await createOldDatabases();
  });
  afterAll(() => databases.drop());

  /** A filled database whose next migration changes "api_key", then "idempotent_answer". */
  async function begin() {
    const url = await databases.asOf('20261124020000_subscription_requests');
    const [client, other] = [await connectTo(url), await connectTo(url)];
    await fillTables(client, await readKnownTables(client), [1, 2]);
    await other.query('BEGIN');
    return { url, client, other, schema: await readSchema(client) };
  }

  async function expectToFinish(url: string, client: Client) {
    expect(await runPharos(['migrate'], { DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The database is up to date.\n',
    });
    const { rows } = await client.query(
      'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY name',
    );
    expect(rows.map(({ name }) => name)).toEqual(MIGRATION_NAMES);
  }

  it('between two statements of a migration, changes nothing, and can be repeated', async () => {
    const { url, client, other, schema } = await begin();
    await other.query('SELECT FROM idempotent_answer');
    await killWaiting(url, client, 'api_key');
    await expect.poll(() => readSchema(client)).toEqual(schema);
    await other.query('COMMIT');
    await expectToFinish(url, client);
  });

  it('between a migration and its record, changes nothing, and can be repeated', async () => {
    const { url, client, other, schema } = await begin();
    // A record of a version with the engine. Locked, it delays the new record but not the script.
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '20261124030000_answers_per_key')",
    );
    await other.query('SELECT FROM _prisma_migrations WHERE finished_at IS NULL FOR UPDATE');
    await killWaiting(url, client, 'idempotent_answer');
    await expect.poll(() => readSchema(client)).toEqual(schema);
    await other.query('COMMIT');
    await expectToFinish(url, client);
  });
});

describe('when a newer version has migrated', () => {
  const database = useTestDatabase();
  const settings = () => ({ DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY });
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pharos-migrations-'));
    await cp(MIGRATIONS, directory, { recursive: true });
  });
  afterAll(() => rm(directory, { recursive: true }));

  async function migrateToNewer(name: string, { serves, sql }: { serves: string; sql: string }) {
    await mkdir(join(directory, name));
    const header = `-- Serves: Pharos 9.1.0 (${serves}) and later\n`;
    await writeFile(join(directory, name, 'migration.sql'), header + sql);
    await migrate({ url: database.url, directory });
  }

  // The newer version adds a column to every table. Of the web process, only the domain verbs take part.
  it('a worker and verbs of this version continue, and the worker can restart', async () => {
    const target = await startTarget();
    onTestFinished(target.close);
    const services = createTestServices({ db: database.db });
    const { ctx } = await createTestOrganization(services);
    const monitor = createMonitorSchema.parse({ name: 'Shop', url: target.url, regions: ['eu-west'] });
    const { id } = await createMonitor(ctx, monitor);
    const isChecked = async (after: Date) => {
      await checkNow(services);
      const lastCheckedAt = (await getMonitor(ctx, id)).lastCheckedAt ?? '';
      return lastCheckedAt > after.toISOString();
    };
    const expectChecks = () => {
      const now = services.clock.now();
      return expect.poll(() => isChecked(now), { interval: 500 }).toBe(true);
    };
    let worker = await startWorker(settings());
    onTestFinished(() => worker.kill());
    await expectChecks();

    const client = await connectTo(database.url);
    const columns = (await readKnownTables(client)).map(
      ({ name }) =>
        `ALTER TABLE ${name.replace('public.user', '"user"')} ADD COLUMN added INTEGER NOT NULL DEFAULT 1;`,
    );
    const serves = MIGRATION_NAMES.at(-1) ?? '';
    await migrateToNewer('29990101000000_columns', { serves, sql: columns.join('\n') });
    await expectChecks();
    expect(await updateMonitor(ctx, id, { name: 'Shop 2' })).toMatchObject({ name: 'Shop 2' });
    await createMonitor(ctx, monitor);

    await worker.stop();
    worker = await startWorker(settings());
    await expectChecks();
  });

  it('processes that it does not serve refuse to start, and name the version they need', async () => {
    const name = '29990102000000_rename';
    await migrateToNewer(name, { serves: name, sql: 'SELECT 1;' });
    const starts = await Promise.all(
      ['worker', 'migrate'].map((command) => runPharos([command], settings())),
    );
    for (const { code, stderr } of starts) {
      expect([code, stderr.trim().split('\n')]).toEqual([
        1,
        [expect.stringContaining(`needs Pharos 9.1.0 or later, which contains the migration ${name}`)],
      ]);
    }
  });
});
