import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkNow } from '@/e2e/support/check-now';
import { runPharos } from '@/e2e/support/run-pharos';
import { startWorker } from '@/e2e/support/start-worker';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';
import { migrate } from '@/lib/platform/db/migrate';
import { readSchema } from '@/lib/platform/db/read-schema';
import { readKnownTables } from '@/lib/platform/db/testing/fill-tables';
import {
  addMigrations,
  BOOKKEEPING,
  connectTo,
  MIGRATION_NAMES,
  migrateUnnumbered,
} from '@/lib/platform/db/testing/old-databases';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createEmptyDatabase, useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { startTarget } from '@/lib/testing/target';

const program = fileURLToPath(new URL('../pharos.mjs', import.meta.url));

/** Runs `pharos migrate` until a statement of its migration waits for a lock, then kills it. */
async function killWaiting(url: string, client: Client, statement: string): Promise<void> {
  const unset = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
  const env = childEnvironment({ ...unset, DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY });
  const child = spawn(process.execPath, [program, 'migrate'], { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const isHalfway = async () => {
    const { rows } = await client.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'pharos migrate'
          AND wait_event_type = 'Lock' AND backend_xid IS NOT NULL AND query LIKE $1`,
      [statement],
    );
    return rows.length > 0;
  };
  await expect.poll(isHalfway, { interval: 20 }).toBe(true);
  child.kill('SIGKILL');
  await exited;
}

describe('pharos migrate, killed', () => {
  const [first = ''] = MIGRATION_NAMES;

  /** A database for the first migration: empty, or of the last commit before it. */
  async function begin(isOld: boolean) {
    const { url, drop } = await createEmptyDatabase();
    onTestFinished(drop);
    if (isOld) await migrateUnnumbered(url);
    const [client, other] = [await connectTo(url), await connectTo(url)];
    return { url, client, other, schema: await readSchema(client) };
  }

  async function expectToFinish(url: string, client: Client) {
    expect(await runPharos(['migrate'], { DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The database is up to date.\n',
    });
    const { rows } = await client.query(
      'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY finished_at',
    );
    expect(rows.map(({ name }) => name).slice(-MIGRATION_NAMES.length)).toEqual(MIGRATION_NAMES);
  }

  it('between two statements of a migration, changes nothing, and can be repeated', async () => {
    const { url, client, other, schema } = await begin(false);
    // The migration creates a schema after other tables.
    await other.query('BEGIN; LOCK TABLE pg_namespace IN SHARE MODE');
    await killWaiting(url, client, '-- Schema: 1%');
    await other.query('ROLLBACK');
    await expect.poll(() => readSchema(client)).toEqual(schema);
    await expectToFinish(url, client);
  });

  it.each([
    { what: 'a migration and its record', isOld: false },
    { what: 'the comparison of an older schema and its record', isOld: true },
  ])('between $what, changes nothing, and can be repeated', async ({ isOld }) => {
    const { url, client, other, schema } = await begin(isOld);
    // A record of a version with the engine. Locked, it delays the new record but not the script.
    if (!isOld) await client.query(BOOKKEEPING);
    await client.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', $1)`, [
      first,
    ]);
    await other.query('BEGIN');
    await other.query('SELECT FROM _prisma_migrations WHERE finished_at IS NULL FOR UPDATE');
    await killWaiting(url, client, 'UPDATE _prisma_migrations SET rolled_back_at%');
    await other.query('COMMIT');
    await expect.poll(() => readSchema(client)).toEqual(schema);
    await expectToFinish(url, client);
  });
});

describe('when a newer version has migrated', () => {
  const database = useTestDatabase();
  const settings = () => ({ DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY });
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
    const directory = await addMigrations({ name: '29990101000000_columns', sql: columns.join('\n') });
    await migrate({ url: database.url, directory });
    await expectChecks();
    expect(await updateMonitor(ctx, id, { name: 'Shop 2' })).toMatchObject({ name: 'Shop 2' });
    await createMonitor(ctx, monitor);

    await worker.stop();
    worker = await startWorker(settings());
    await expectChecks();
  });

  it('processes that it does not serve refuse to start, and name the version they need', async () => {
    const schema = MIGRATION_NAMES.length + 2;
    const directory = await addMigrations(
      { name: '29990101000000_columns', sql: '' },
      { name: '29990102000000_rename', sql: '', serves: schema },
    );
    await migrate({ url: database.url, directory });
    const starts = await Promise.all(
      ['worker', 'migrate'].map((command) => runPharos([command], settings())),
    );
    for (const { code, stderr } of starts) {
      expect([code, stderr.trim().split('\n')]).toEqual([
        1,
        [expect.stringContaining(`needs Pharos 9.1.0 or later, which has schema ${schema}`)],
      ]);
    }
  });
});
