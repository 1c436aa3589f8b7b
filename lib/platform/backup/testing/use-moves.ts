import { Client } from 'pg';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { readSchema } from '@/lib/platform/db/read-schema';
import { fillTables, type KnownTable, readKnownTables } from '@/lib/platform/db/testing/fill-tables';
import { connectTo, MIGRATIONS } from '@/lib/platform/db/testing/old-databases';
import { copyDatabase, createTestDatabase, useTestDatabase } from '@/lib/testing/database';
import type { BackupEnd, TableSum } from '../archive/records';
import { readHistory, readRemainder } from '../move/read-stages';
import { restoreBackup } from '../restore/restore-backup';
import { isBefore, readHorizon } from '../snapshot/row-versions';
import { readRows, treatRows } from './database-rows';

const OPTIONS = { version: '0.1.0', now: new Date('2026-03-02T00:00:00Z') };
/** Of partitions with three results each. */
const MONTHS = ['04', '05', '06', '07', '08', '09'];

export async function createPartition(client: Client, month: string): Promise<void> {
  const next = String(Number(month) + 1).padStart(2, '0');
  await client.query(
    `CREATE TABLE raw.check_result_${month} PARTITION OF raw.check_result FOR VALUES FROM ('2026-${month}-01') TO ('2026-${next}-01')`,
  );
  for (const monitor of [1, 2, 3]) await addResult(client, month, monitor);
}

export async function addResult(client: Client, month: string, monitor: number): Promise<void> {
  await client.query(
    `INSERT INTO raw.check_result (checked_at, monitor, region, outcome) VALUES ('2026-${month}-01', $1, 1, 0)`,
    [monitor],
  );
}

export async function deleteResult(client: Client, month: string, monitor: number): Promise<void> {
  await client.query(`DELETE FROM raw.check_result_${month} WHERE monitor = $1`, [monitor]);
}

/** Whether all results are history. Not while a transaction is older: also of another database, since the server has one horizon for all. */
async function isAllBefore(client: Client): Promise<boolean> {
  const before = isBefore(await readHorizon(client));
  const { rows } = await client.query<{ all: boolean }>(
    `SELECT bool_and(${before}) AS all FROM raw.check_result`,
  );
  return rows[0]?.all === true;
}

/** Databases with the rows of the same one, to move. Use it only in tests. */
export function useMoves() {
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
  return {
    /** A copy of the filled database for one test, and one without rows. */
    begin: async () => {
      const source = await copyDatabase(filled.url);
      const target = await createTestDatabase();
      onTestFinished(source.drop);
      onTestFinished(target.close);
      const client = await connectTo(source.url, 'observer');
      await expect.poll(() => isAllBefore(client)).toBe(true);
      return { from: source.url, to: target.url, client };
    },
    requireEqual: async (client: Client, to: string): Promise<void> => {
      const moved = await connectTo(to);
      expect(await readRows(moved, tables)).toEqual(treatRows(await readRows(client, tables)));
      expect(await readSchema(moved)).toEqual(await readSchema(client));
    },
    countRows: async (url: string): Promise<number> =>
      Object.values(await readRows(await connectTo(url), tables)).flat().length,
  };
}

export type Move = { from: string; to: string };

/** Moves a database, and calls `stop` once its history is copied. Resolves to what was read then, and to the sums of all. */
export async function move({ from, to }: Move, stop: () => Promise<void>) {
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
