import { pipeline } from 'node:stream/promises';
import { type Client, escapeLiteral } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { StartupError } from '@/lib/core/errors';
import type { Sections } from '../archive/read-sections';
import { type BackupEnd, type BackupTable, unreadable } from '../archive/records';
import { copyRows, countRows } from '../snapshot/copy-rows';
import { type CatalogTable, quoteColumns, quoteName, readCatalog } from '../snapshot/read-catalog';
import { type BackupProgress, trackProgress } from '../snapshot/read-snapshot';

export type LoadOptions = {
  /** Called while rows are written, and again while they are read back. */
  onProgress?: (step: 'load' | 'check', progress: BackupProgress) => void;
};

/**
 * Writes the rows of a backup into tables that have its schema and contain nothing that counts, in the transaction of `client`; reads
 * them back and compares them with the backup. Throws StartupError at the first difference.
 */
export async function loadTables(
  client: Client,
  { manifest, eachTable }: Sections,
  { onProgress }: LoadOptions = {},
): Promise<BackupEnd> {
  const advance = trackProgress(manifest.tables, (progress) => onProgress?.('load', progress));
  const known = await prepareTables(client);
  const partitions: BackupTable[] = [];
  const end = await eachTable(async (table, rows) => {
    requireKnown(table, known);
    if (table.partition !== null) {
      partitions.push(table);
      await client.query(
        `CREATE TABLE ${quoteName(table.name)} (LIKE ${quoteName(table.partition.of)} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
      );
    }
    // Truncated or created in this transaction, so nobody sees these rows before it ends, and they are written in their order.
    const target = client.query(
      copyFrom(`COPY ${quoteName(table.name)} (${quoteColumns(table.columns)}) FROM STDIN (FREEZE)`),
    );
    await pipeline(
      rows,
      async function* (source: AsyncIterable<Buffer>) {
        for await (const data of source) {
          advance(table, data.length);
          yield data;
        }
      },
      target,
    );
  });
  await attachPartitions(client, partitions);
  for (const { name, last } of end.sequences) {
    await client.query('SELECT setval($1, $2)', [quoteName(name), last]);
  }
  await enableTriggers(client, [...known.values()]);
  await compareWithBackup(client, manifest.tables, { end, onProgress });
  return end;
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

async function attachPartitions(client: Client, tables: readonly BackupTable[]): Promise<void> {
  for (const { name, partition } of tables) {
    if (partition === null) continue;
    const [from, to] = [escapeLiteral(partition.from), escapeLiteral(partition.to)];
    await client.query(
      `ALTER TABLE ${quoteName(partition.of)} ATTACH PARTITION ${quoteName(name)} FOR VALUES FROM (${from}) TO (${to})`,
    );
  }
}

/** Rows that COPY wrote into new tables have the order of the backup, so their digests are equal. */
async function compareWithBackup(
  client: Client,
  tables: readonly BackupTable[],
  { end, onProgress }: LoadOptions & { end: BackupEnd },
): Promise<void> {
  const expected = new Map(end.tables.map((sum) => [sum.name, sum]));
  const advance = trackProgress(tables, (progress) => onProgress?.('check', progress));
  for (const table of tables) {
    const counter = countRows(table.name);
    for await (const data of copyRows(client, `${quoteName(table.name)} (${quoteColumns(table.columns)})`)) {
      counter.add(data);
      advance(table, data.length);
    }
    const [sum, wanted] = [counter.sum(), expected.get(table.name)];
    if (sum.rows === wanted?.rows && sum.digest === wanted.digest) continue;
    throw new StartupError(
      `the database stored other rows of ${table.name} than the backup contains (${sum.rows} instead of ${wanted?.rows ?? 0}). Nothing was changed`,
    );
  }
}
