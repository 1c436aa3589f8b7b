import { pipeline } from 'node:stream/promises';
import { type Client, escapeLiteral } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { StartupError } from '@/lib/core/errors';
import type { Sections } from '../archive/read-sections';
import { type BackupEnd, type BackupTable, type TableSum, unreadable } from '../archive/records';
import { copyRows, countRows } from '../snapshot/copy-rows';
import { type CatalogTable, quoteColumns, quoteName, readCatalog } from '../snapshot/read-catalog';
import { type BackupProgress, trackProgress } from '../snapshot/read-snapshot';

export type LoadOptions = {
  /** Called while rows are written, and again while they are read back. */
  onProgress?: (step: 'load' | 'check', progress: BackupProgress) => void;
};

/** Fills tables that have the schema of a backup, in one transaction. */
export type TableLoader = {
  /**
   * Writes rows, reads them back and compares them. Partitions that were loaded before get additional rows. Throws StartupError at
   * the first difference.
   */
  load(sections: Sections): Promise<BackupEnd>;
  /** Removes partitions that were loaded. */
  drop(names: readonly string[]): Promise<void>;
  /** Once all rows are there: sets the next numbers, and turns triggers on. */
  finish(end: Pick<BackupEnd, 'sequences'>): Promise<void>;
};

/** Empties all tables, in the transaction of `client`. They must contain nothing that counts. */
export async function beginLoading(client: Client, { onProgress }: LoadOptions = {}): Promise<TableLoader> {
  const known = await prepareTables(client);
  const partitions = new Set<string>();
  return {
    load: async ({ manifest, eachTable }) => {
      const advance = trackProgress(manifest.tables, (progress) => onProgress?.('load', progress));
      const created: BackupTable[] = [];
      const readBack = new Map<string, string>();
      const end = await eachTable(async (table, rows) => {
        requireKnown(table, known);
        const isNew = table.partition !== null && !partitions.has(table.name);
        if (isNew) {
          created.push(table);
          await createPartition(client, table);
        }
        readBack.set(table.name, await chooseRows(client, table, { isNew }));
        await copyInto(client, table, rows, (data) => advance(table, data.length));
      });
      await attachPartitions(client, created);
      for (const { name } of created) partitions.add(name);
      await compareRows(client, manifest.tables, { readBack, expected: end.tables, onProgress });
      return end;
    },
    drop: async (names) => {
      for (const name of names) {
        await client.query(`DROP TABLE ${quoteName(name)}`);
        partitions.delete(name);
      }
    },
    finish: async ({ sequences }) => {
      for (const { name, last } of sequences) {
        await client.query('SELECT setval($1, $2)', [quoteName(name), last]);
      }
      await enableTriggers(client, [...known.values()]);
    },
  };
}

/** Empties all tables and removes their partitions. Returns the tables, by name. */
async function prepareTables(client: Client): Promise<Map<string, CatalogTable>> {
  const all = await readCatalog(client);
  const ordinary = all.filter(
    ({ name, partition }) => partition === null && !MIGRATION_TABLES.includes(name),
  );
  for (const { name, partition } of all) {
    if (partition !== null) await client.query(`DROP TABLE ${quoteName(name)}`);
  }
  await client.query(`TRUNCATE ${ordinary.map(({ name }) => quoteName(name)).join(', ')}`);
  // What triggers derive is in the backup.
  for (const { name } of ordinary) await client.query(`ALTER TABLE ${quoteName(name)} DISABLE TRIGGER USER`);
  // Indexes of partitions are built once their rows are there.
  await client.query("SET LOCAL maintenance_work_mem = '128MB'");
  return new Map(ordinary.map((table) => [table.name, table]));
}

const MIGRATION_TABLES = ['public._prisma_migrations', 'public.schema_compatibility'];

async function enableTriggers(client: Client, tables: CatalogTable[]): Promise<void> {
  // Conditions that wait for the end of the transaction would forbid it.
  await client.query('SET CONSTRAINTS ALL IMMEDIATE');
  for (const { name } of tables) await client.query(`ALTER TABLE ${quoteName(name)} ENABLE TRIGGER USER`);
}

/** The migrations of the backup have created its tables, so any other is not from Pharos. */
function requireKnown({ name, partition, columns }: BackupTable, known: Map<string, CatalogTable>): void {
  if (partition !== null) {
    if (/^raw\.\w+$/.test(name) && /^raw\.\w+$/.test(partition.of) && !known.has(name)) return;
    throw unreadable();
  }
  const table = known.get(name);
  if (table === undefined || !columns.every((column) => table.columns.includes(column))) throw unreadable();
}

async function createPartition(client: Client, { name, partition }: BackupTable): Promise<void> {
  if (partition === null) return;
  await client.query(
    `CREATE TABLE ${quoteName(name)} (LIKE ${quoteName(partition.of)} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
  );
}

async function attachPartitions(client: Client, tables: readonly BackupTable[]): Promise<void> {
  for (const { name, partition } of tables) {
    if (partition === null) continue;
    const [from, to] = [escapeLiteral(partition.from), escapeLiteral(partition.to)];
    await client.query(
      `ALTER TABLE ${quoteName(partition.of)} ATTACH PARTITION ${quoteName(name)} FOR VALUES FROM (${from}) TO (${to})`,
    );
  }
}

async function copyInto(
  client: Client,
  table: BackupTable,
  rows: AsyncIterable<Buffer>,
  onData: (data: Buffer) => void,
): Promise<void> {
  // Truncated or created in this transaction, so nobody sees these rows before it ends, and they are written in their order.
  const target = client.query(
    copyFrom(`COPY ${quoteName(table.name)} (${quoteColumns(table.columns)}) FROM STDIN (FREEZE)`),
  );
  await pipeline(
    rows,
    async function* (source: AsyncIterable<Buffer>) {
      for await (const data of source) {
        onData(data);
        yield data;
      }
    },
    target,
  );
}

/** What reads back the rows that are about to be written: those behind the last one. */
async function chooseRows(
  client: Client,
  { name, partition, columns }: BackupTable,
  { isNew }: { isNew: boolean },
): Promise<string> {
  if (partition === null || isNew) return `${quoteName(name)} (${quoteColumns(columns)})`;
  const { rows } = await client.query<{ last: string | null }>(
    `SELECT max(ctid)::text AS last FROM ${quoteName(name)}`,
  );
  const last = escapeLiteral(rows[0]?.last ?? '(0,0)');
  return `(SELECT ${quoteColumns(columns)} FROM ${quoteName(name)} WHERE ctid > ${last}::tid)`;
}

type Comparison = LoadOptions & { readBack: ReadonlyMap<string, string>; expected: readonly TableSum[] };

/** Rows that COPY wrote into new tables have the order of the backup, so their digests are equal. */
async function compareRows(
  client: Client,
  tables: readonly BackupTable[],
  { readBack, expected, onProgress }: Comparison,
): Promise<void> {
  const sums = new Map(expected.map((sum) => [sum.name, sum]));
  const advance = trackProgress(tables, (progress) => onProgress?.('check', progress));
  for (const table of tables) {
    const counter = countRows(table.name);
    for await (const data of copyRows(client, readBack.get(table.name) ?? quoteName(table.name))) {
      counter.add(data);
      advance(table, data.length);
    }
    const [sum, wanted] = [counter.sum(), sums.get(table.name)];
    if (sum.rows === wanted?.rows && sum.digest === wanted.digest) continue;
    throw new StartupError(
      `the database stored other rows of ${table.name} than the backup contains (${sum.rows} instead of ${wanted?.rows ?? 0}). Nothing was changed`,
    );
  }
}
