import { expect, it } from 'vitest';
import { connectTo } from '@/lib/platform/db/testing/old-databases';
import { readTargetState } from '../restore/empty-target';
import { addResult, createPartition, deleteResult, move, useMoves } from '../testing/use-moves';

// A service that writes all the time, and other reasons to refuse: read-stages.thorough.test.ts.

const { begin, requireEqual, countRows } = useMoves();

it('what is added, changed and deleted while the history is copied is so in the copy', async () => {
  const { client, ...databases } = await begin();
  const { rest, end } = await move(databases, async () => {
    await addResult(client, '05', 4);
    await deleteResult(client, '06', 1);
    // As many as before.
    await deleteResult(client, '07', 1);
    await addResult(client, '07', 4);
    await client.query(`UPDATE raw.check_result_08 SET outcome = 1 WHERE monitor = 2`);
    await client.query('DROP TABLE raw.check_result_09');
    await createPartition(client, '10');
    await client.query(`DELETE FROM "user" WHERE id = 'user_3'; UPDATE monitor SET name = name || '!'`);
  });
  await requireEqual(client, databases.to);
  const results = rest.flatMap(({ name, rows }) =>
    name.startsWith('raw.check_result') ? [[name, rows]] : [],
  );
  expect(results.toSorted()).toEqual([
    ['raw.check_result_05', 1],
    ['raw.check_result_06', 2],
    ['raw.check_result_07', 3],
    ['raw.check_result_08', 3],
    ['raw.check_result_10', 3],
  ]);
  expect(end.tables.find(({ name }) => name === 'raw.check_result_04')).toMatchObject({ rows: 3 });
});

it('transactions that were open when the history was read are part of the rest', async () => {
  const { client, ...databases } = await begin();
  const [early, open] = [await connectTo(databases.from, 'other'), await connectTo(databases.from, 'other')];
  await open.query('BEGIN');
  await addResult(open, '04', 4);
  await addResult(early, '04', 5);
  const { rest } = await move(databases, async () => {
    await open.query('COMMIT');
    await deleteResult(client, '04', 5);
  });
  await requireEqual(client, databases.to);
  expect(rest.find(({ name }) => name === 'raw.check_result_04')).toMatchObject({ rows: 1 });
});

it('a service that is still running is refused; nothing was moved, and a later attempt succeeds', async () => {
  const { client, ...databases } = await begin();
  await expect(
    move(databases, async () => void (await connectTo(databases.from, 'pharos web'))),
  ).rejects.toThrow('processes of Pharos use the database (pharos web)');
  expect(await readTargetState(databases.to)).toBe('not set up');
  expect(await countRows(databases.to)).toBeLessThan(10);
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pharos web' AND datname = current_database()`,
  );
  await move(databases, async () => undefined);
  await requireEqual(client, databases.to);
});
