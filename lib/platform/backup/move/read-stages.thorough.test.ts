import type { Client } from 'pg';
import { expect, it } from 'vitest';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { readTargetState } from '../restore/empty-target';
import { addResult, deleteResult, move, useMoves } from '../testing/use-moves';

const { begin, requireEqual, countRows } = useMoves();

it('a partition that was not touched is not read again', async () => {
  const { client, ...databases } = await begin();
  const { rest } = await move(databases, async () => undefined);
  await requireEqual(client, databases.to);
  expect(
    rest.filter(({ name }) => name.startsWith('raw.check_result') || name.startsWith('raw.rollup_hour')),
  ).toEqual([]);
  expect(rest.find(({ name }) => name === 'public.monitor')).toMatchObject({ rows: 3 });
});

it('a service that writes all the time until it stops loses nothing', async () => {
  const { client, ...databases } = await begin();
  const writer = await connectTo(databases.from, 'pharos worker');
  let isStopping = false;
  const write = async () => {
    for (let monitor = 10; !isStopping; monitor++) {
      await addResult(writer, '04', monitor);
      await addResult(writer, '05', monitor);
      await deleteResult(writer, '05', monitor - 1);
    }
  };
  const writing = write();
  const { rest } = await move(databases, async () => {
    isStopping = true;
    await writing;
    await writer.end();
    await expect.poll(() => isConnected(client)).toBe(false);
  });
  await requireEqual(client, databases.to);
  expect(rest.find(({ name }) => name === 'raw.check_result_04')?.rows).toBeGreaterThan(0);
});

async function isConnected(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity WHERE application_name = 'pharos worker' AND datname = current_database()`,
  );
  return rowCount !== 0;
}

it('an installation with another secret key is refused; nothing was moved', async () => {
  const { client, ...databases } = await begin();
  const change = async () => void (await client.query(`UPDATE instance SET secret_key_checks = '{other}'`));
  await expect(move(databases, change)).rejects.toThrow(
    'the service was updated, or its secret key was changed, while its database was copied',
  );
  expect(await readTargetState(databases.to)).toBe('not set up');
  expect(await countRows(databases.to)).toBeLessThan(10);
  await move(databases, async () => undefined);
  await requireEqual(client, databases.to);
});
