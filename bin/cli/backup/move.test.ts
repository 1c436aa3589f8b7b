import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createOrganizationByCommand, runPharos } from '@/e2e/support/run-pharos';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { readSecrets } from '@/lib/platform/postgres';
import { createEmptyDatabase } from '@/lib/testing/database';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pharos-move-'));
});
afterAll(() => rm(directory, { recursive: true }));

it('an installation moves from the embedded database to another one, and back', async () => {
  const [from, back] = [join(directory, 'from'), join(directory, 'back')];
  const { userId } = await createOrganizationByCommand(from);
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);

  const wrong = await runPharos(['move', '--to', 'mysql://nowhere'], { DATA_DIR: from });
  expect([wrong.code, wrong.stderr.trim()]).toEqual([1, expect.stringContaining('must be a PostgreSQL URL')]);
  const out = await runPharos(['move', '--to', url], { DATA_DIR: from });
  expect(out.code, out.stderr).toBe(0);
  const secretKey = (await readSecrets(from))?.secretKey ?? '';
  const settings = { DATABASE_URL: url, SECRET_KEY: secretKey };
  const listed = await runPharos(['user', 'list'], settings);
  expect(JSON.parse(listed.stdout)).toMatchObject({ users: [{ id: userId }] });

  const worker = await connectTo(url, 'pharos worker');
  const inUse = await runPharos(['move', '--to', 'embedded'], { ...settings, DATA_DIR: back });
  expect([inUse.code, inUse.stderr]).toEqual([
    1,
    'processes of Pharos use the database (pharos worker): stop the service, then run the command again\n',
  ]);
  await worker.end();
  const moved = await runPharos(['move', '--to', 'embedded'], { ...settings, DATA_DIR: back });
  expect(moved.code, moved.stderr).toBe(0);
  expect((await readSecrets(back))?.secretKey).toBe(secretKey);
  const users = await runPharos(['user', 'list'], { DATA_DIR: back });
  expect(JSON.parse(users.stdout)).toMatchObject({ users: [{ id: userId }] });
}, 180_000);
