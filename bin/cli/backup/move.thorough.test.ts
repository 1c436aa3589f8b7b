import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createOrganizationByCommand, runPharos, startPharos } from '@/e2e/support/run-pharos';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { lockDataDir, readSecrets, startEmbeddedPostgres } from '@/lib/platform/postgres';
import { createEmptyDatabase } from '@/lib/testing/database';
import { createOpenFolder } from '@/lib/testing/open-folder';

const ADD_RESULT = `INSERT INTO raw.check_result (checked_at, monitor, region, outcome) VALUES ('2026-03-01', $1, 1, 0)`;
const RESULTS = 'SELECT monitor FROM raw.check_result ORDER BY monitor';

let directory: string;
beforeAll(async () => {
  directory = await createOpenFolder('pharos-move-');
});
afterAll(() => rm(directory, { recursive: true }));

/** The embedded database of a running service, with one result. */
async function startDatabase(dataDir: string) {
  const lock = lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, upgradeCommand: 'none' });
  const client = await connectTo(postgres.url, 'pharos worker');
  await client.query(
    `CREATE TABLE raw.check_result_march PARTITION OF raw.check_result FOR VALUES FROM ('2026-03-01') TO ('2026-04-01')`,
  );
  await client.query(ADD_RESULT, [1]);
  return {
    client,
    stop: async () => {
      await postgres.stop();
      lock.release();
    },
  };
}

it('a running installation moves from the embedded database to another one, and back', async () => {
  const [from, back] = [join(directory, 'from'), join(directory, 'back')];
  const { userId } = await createOrganizationByCommand(from);
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);

  const service = await startDatabase(from);
  const out = startPharos(['move', '--to', url], { DATA_DIR: from });
  await expect.poll(out.stderr).toContain('Stop the service now');
  await service.client.query(ADD_RESULT, [2]);
  await service.stop();
  const movedOut = await out.result;
  expect(movedOut.code, movedOut.stderr).toBe(0);
  expect(JSON.parse(movedOut.stdout).stoppedSeconds).toEqual(expect.any(Number));
  const secretKey = (await readSecrets(from))?.secretKey ?? '';
  const settings = { DATABASE_URL: url, SECRET_KEY: secretKey };
  const listed = await runPharos(['user', 'list'], settings);
  expect(JSON.parse(listed.stdout)).toMatchObject({ users: [{ id: userId }] });

  const worker = await connectTo(url, 'pharos worker');
  expect((await worker.query(RESULTS)).rows).toEqual([{ monitor: 1 }, { monitor: 2 }]);
  const toBack = { ...settings, DATA_DIR: back };
  const interrupted = startPharos(['move', '--to', 'embedded'], toBack);
  await expect.poll(interrupted.stderr).toContain('connected: pharos worker');
  interrupted.child.kill('SIGINT');
  expect((await interrupted.result).code).not.toBe(0);

  const movingIn = startPharos(['move', '--to', 'embedded'], toBack);
  await expect.poll(movingIn.stderr).toContain('Stop the service now');
  await worker.query(ADD_RESULT, [3]);
  await worker.end();
  const movedIn = await movingIn.result;
  expect(movedIn.code, movedIn.stderr).toBe(0);
  expect((await readSecrets(back))?.secretKey).toBe(secretKey);
  const users = await runPharos(['user', 'list'], { DATA_DIR: back });
  expect(JSON.parse(users.stdout)).toMatchObject({ users: [{ id: userId }] });
});

it('a stopped installation moves at once', async () => {
  const from = join(directory, 'stopped');
  await createOrganizationByCommand(from);
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const { code, stdout, stderr } = await runPharos(['move', '--to', url], { DATA_DIR: from });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Moved\. .+ then start the service\.\n$/)]);
  expect(JSON.parse(stdout)).toEqual({ tables: expect.any(Number), rows: expect.any(Number) });
});
