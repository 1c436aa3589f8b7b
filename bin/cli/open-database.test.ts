import { expect, it } from 'vitest';
import { createDataDir } from '@/e2e/support/prepared-data';
import { useFolder } from '@/e2e/support/use-folder';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { findRunningPostgres, startEmbeddedPostgres } from '@/lib/platform/postgres';
import { callPharos } from './testing/call-pharos';

const folder = useFolder();

it('a command that cannot migrate the embedded database leaves none running', async () => {
  const dataDir = folder.path('data');
  await createDataDir(dataDir);
  const settings = { DATA_DIR: dataDir };
  expect((await callPharos(['migrate'], settings)).code).toBe(0);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, upgradeCommand: 'none' });
  const client = await connectTo(postgres.url);
  // Applied again, the last one fails.
  await client.query(`
    DELETE FROM _prisma_migrations
     WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`);
  await postgres.stop();
  const { code, stderr } = await callPharos(['migrate'], settings);
  expect([code, stderr]).toEqual([1, expect.stringContaining('could not apply the migration')]);
  expect(await findRunningPostgres(dataDir)).toBeNull();
});
