import { Client } from 'pg';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { readSchema } from '@/lib/platform/db/read-schema';
import { fillTables, type KnownTable, readKnownTables } from '@/lib/platform/db/testing/fill-tables';
import { connectTo, MIGRATIONS } from '@/lib/platform/db/testing/old-databases';
import { copyDatabase, createTestDatabase, useTestDatabase } from '@/lib/testing/database';
import type { BackupEnd, TableSum } from '../archive/records';
import { readTargetState } from '../restore/empty-target';
import { restoreBackup } from '../restore/restore-backup';
import { readRows, treatRows } from '../testing/database-rows';
import { readHistory, readRemainder } from './read-stages';

const OPTIONS = { version: '0.1.0', now: new Date('2026-03-02T00:00:00Z') };
/** Of partitions with three results each. */
const MONTHS = ['04', '05', '06', '07', '08', '09'];

const filled = useTestDatabase();
let tables: KnownTable[];
beforeAll(async () => {
  const client = new Client({ connectionString: filled.url });
  await client.connect();
  tables = await readKnownTables(client);
  await fillTables(client, tables, [1, 2, 3]);
  for (const month of MONTHS) await createPartition(client, month);
  await client.end();
});

async function createPartition(client: Client, month: string): Promise<void> {
  const next = String(Number(month) + 1).padStart(2, '0');
  await client.query(
    `CREATE TABLE raw.check_result_${month} PARTITION OF raw.check_result FOR VALUES FROM ('2026-${month}-01') TO ('2026-${next}-01')`,
  );
  for (const monitor of [1, 2, 3]) await addResult(client, month, monitor);
}

async function addResult(client: Client, month: string, monitor: number): Promise<void> {
  await client.query(
    `INSERT INTO raw.check_result (checked_at, monitor, region, outcome) VALUES ('2026-${month}-01', $1, 1, 0)`,
    [monitor],
  );
}

async function deleteResult(client: Client, month: string, monitor: number): Promise<void> {
  await client.query(`DELETE FROM raw.check_result_${month} WHERE monitor = $1`, [monitor]);
}

/** A copy of the filled database for one test, and one without rows. */
async function begin() {
  const source = await copyDatabase(filled.url);
  const target = await createTestDatabase();
  onTestFinished(source.drop);
  onTestFinished(target.close);
  return { from: source.url, to: target.url, client: await connectTo(source.url, 'observer') };
}

type Move = { from: string; to: string };

/** Moves a database, and calls `stop` once its history is copied. Resolves to what was read then, and to the sums of all. */
async function move({ from, to }: Move, stop: () => Promise<void>) {
  const { sections, horizon } = await readHistory(from, OPTIONS);
  const rest: TableSum[] = [];
  const end = await restoreBackup(sections, {
    url: to,
    directory: MIGRATIONS,
    readRemainder: async (copied: BackupEnd) => {
      await stop();
      const remainder = await readRemainder(from, { horizon, copied }, OPTIONS);
      const { eachTable } = remainder.sections;
      const noted: typeof eachTable = async (use) => {
        const end = await eachTable(use);
        rest.push(...end.tables);
        return end;
      };
      return { ...remainder, sections: { ...remainder.sections, eachTable: noted } };
    },
  });
  return { rest, end };
}

async function requireEqual(client: Client, to: string): Promise<void> {
  const moved = await connectTo(to);
  expect(await readRows(moved, tables)).toEqual(treatRows(await readRows(client, tables)));
  expect(await readSchema(moved)).toEqual(await readSchema(client));
}

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

it('a partition that was not touched is not read again', async () => {
  const { client, ...databases } = await begin();
  const { rest } = await move(databases, async () => undefined);
  await requireEqual(client, databases.to);
  expect(
    rest.filter(({ name }) => name.startsWith('raw.check_result') || name.startsWith('raw.rollup_hour')),
  ).toEqual([]);
  expect(rest.find(({ name }) => name === 'public.monitor')).toMatchObject({ rows: 3 });
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

it.each([
  {
    what: 'a service that is still running',
    stop: async ({ from }: Move) => void (await connectTo(from, 'pharos web')),
    message: 'processes of Pharos use the database (pharos web)',
  },
  {
    what: 'an installation with another secret key',
    stop: async ({ from }: Move) =>
      void (await (
        await connectTo(from, 'other')
      ).query(`UPDATE instance SET secret_key_checks = '{other}'`)),
    message: 'the service was updated, or its secret key was changed, while its database was copied',
  },
])('$what is refused; nothing was moved, and a later attempt succeeds', async ({ stop, message }) => {
  const { client, ...databases } = await begin();
  await expect(move(databases, () => stop(databases))).rejects.toThrow(message);
  expect(await readTargetState(databases.to)).toBe('not set up');
  const moved = await connectTo(databases.to);
  expect(Object.values(await readRows(moved, tables)).flat().length).toBeLessThan(10);
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pharos web' AND datname = current_database()`,
  );
  await move(databases, async () => undefined);
  await requireEqual(client, databases.to);
});
