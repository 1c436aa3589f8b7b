import { expect, it } from 'vitest';
import { createDatabase } from '@/lib/platform/db/client';
import { readPools } from '@/lib/platform/db/connections/pools';
import { testServerUrl } from '@/lib/testing/database';
import { createProcessRegistry } from './process-registry';

it('shows how many connections are in use, and how many calls wait for one', async () => {
  const db = createDatabase(await testServerUrl(), { poolSize: 2, name: 'pool metrics' });
  const registry = createProcessRegistry('worker', readPools);
  const read = async () =>
    (await registry.getSingleMetric('pharos_database_connections')?.get())?.values
      .filter(({ labels }) => labels.pool === 'pool metrics')
      .map(({ value, labels }) => [labels.state, value]);
  expect(await read()).toEqual([
    ['used', 0],
    ['idle', 0],
    ['waiting', 0],
  ]);
  await db.$transaction(async (first) => {
    await first.$queryRaw`SELECT 1`;
    await db.$transaction(async (second) => {
      await second.$queryRaw`SELECT 1`;
      const third = db.$queryRaw`SELECT 1`.then(() => undefined);
      await expect.poll(read).toEqual([
        ['used', 2],
        ['idle', 0],
        ['waiting', 1],
      ]);
      return { third };
    });
  });
  await expect.poll(read).toEqual([
    ['used', 0],
    ['idle', 2],
    ['waiting', 0],
  ]);
  await db.$disconnect();
  expect(await read(), 'of a pool that ended').toEqual([]);
});

it('names the version of the process', async () => {
  const text = await createProcessRegistry('web', () => []).metrics();
  expect(text).toMatch(/^pharos_build_info\{version="\d+\.\d+\.\d+",process="web"\} 1$/m);
});
