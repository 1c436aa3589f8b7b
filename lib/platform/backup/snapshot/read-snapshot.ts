import { type Client, escapeIdentifier } from 'pg';
import type { BackupKeys, BackupRecord, BackupTable, Manifest, TableSum } from '../archive/records';
import { BACKUP_LOCK, connectForBackup } from './connect';
import { copyRows, countRows } from './copy-rows';
import { ownerOf, quoteColumns, quoteName, readCatalog } from './read-catalog';
import { treatmentOf } from './table-treatment';

/** A table that the snapshot sees was removed before it could be locked. */
const VANISHED = '42P01';
const MAX_ATTEMPTS = 5;

/** How far a backup or restore is. */
export type BackupProgress = {
  table: string;
  /** Bytes of rows so far, and the estimated share of all, from 0 to 1. */
  bytes: number;
  share: number;
};

/** A table of a snapshot, or its rows that meet a condition. */
export type SnapshotPart = { table: BackupTable; where?: string };

export type SnapshotOptions = {
  /** The version of Pharos. */
  version: string;
  now: Date;
  /** Included in the backup, which then must be encrypted. */
  keys?: BackupKeys | null;
  /** What is read, decided in the snapshot: all tables by default. */
  choose?: (client: Client, tables: BackupTable[]) => Promise<SnapshotPart[]>;
  onProgress?: (progress: BackupProgress) => void;
  /** Ends the connection, whatever it waits for. */
  signal?: AbortSignal;
};

/**
 * Reads the database at `url` as of one moment, while others write: the manifest, then the rows of every table. `url` must not lead
 * through a pooler. Throws what PostgreSQL reports.
 */
export async function* readSnapshot(url: string, options: SnapshotOptions): AsyncGenerator<BackupRecord> {
  const client = await connectForBackup(url);
  const end = () => void client.end().catch(() => undefined);
  options.signal?.addEventListener('abort', end);
  try {
    // It may have been aborted while this connected.
    options.signal?.throwIfAborted();
    // Shared, for other backups. Not in the transaction, which begins again if a table vanishes.
    await client.query('SELECT pg_advisory_lock_shared($1)', [BACKUP_LOCK]);
    const tables = await beginSnapshot(client);
    const parts = (await options.choose?.(client, tables)) ?? tables.map((table) => ({ table }));
    const manifest = await readManifest(client, parts, options);
    yield { kind: 'manifest', value: manifest };
    const sums = yield* readTables(client, parts, options);
    yield { kind: 'end', value: { tables: sums, sequences: await readSequences(client) } };
  } finally {
    options.signal?.removeEventListener('abort', end);
    // Ends a COPY that was abandoned.
    await client.end().catch(() => undefined);
  }
}

/** Begins the transaction that sees one moment, and locks every table it reads against removal. */
async function beginSnapshot(client: Client): Promise<BackupTable[]> {
  for (let attempt = 1; ; attempt++) {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const all = await readCatalog(client);
    const tables = all.filter((table) => treatmentOf(ownerOf(table)) !== 'left out');
    try {
      // Partitions, not their tables: creating a partition would have to wait for those, and everyone who records behind it.
      const names = tables.map(({ name }) => quoteName(name)).join(', ');
      if (names !== '') await client.query(`LOCK TABLE ${names} IN ACCESS SHARE MODE`);
      return tables.map(({ name, partition, columns, bytes }) => ({ name, partition, columns, bytes }));
    } catch (error) {
      const isVanished = error instanceof Error && 'code' in error && error.code === VANISHED;
      if (!isVanished || attempt === MAX_ATTEMPTS) throw error;
      await client.query('ROLLBACK');
    }
  }
}

async function readManifest(
  client: Client,
  parts: readonly SnapshotPart[],
  { version, now, keys = null }: SnapshotOptions,
): Promise<Manifest> {
  const migrations = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
  // As JSON, because early versions had another column.
  const checks = await client.query<{ checks: string[] | null }>(
    `SELECT to_jsonb(instance)->'secret_key_checks' AS checks FROM instance`,
  );
  const server = await client.query<{ postgres: number }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS postgres`,
  );
  return {
    createdAt: now.toISOString(),
    version,
    postgres: server.rows[0]?.postgres ?? 0,
    migrations: migrations.rows.map(({ name }) => name),
    keyChecks: checks.rows[0]?.checks ?? [],
    keys,
    tables: parts.map(({ table }) => table),
  };
}

async function* readTables(
  client: Client,
  parts: readonly SnapshotPart[],
  { onProgress }: SnapshotOptions,
): AsyncGenerator<BackupRecord, TableSum[]> {
  const sums: TableSum[] = [];
  const advance = trackProgress(
    parts.map(({ table }) => table),
    onProgress,
  );
  for (const part of parts) {
    const { table } = part;
    yield { kind: 'table', value: table };
    const counter = countRows(table.name);
    for await (const data of copyRows(client, sourceOf(part))) {
      counter.add(data);
      advance(table, data.length);
      yield { kind: 'data', value: data };
    }
    const sum = counter.sum();
    sums.push(sum);
    yield { kind: 'sum', value: sum };
  }
  return sums;
}

/** The table, or a query that clears columns or omits rows. A cleared column that an early version lacks is not requested. */
function sourceOf({ table, where }: SnapshotPart): string {
  const treatment = treatmentOf(ownerOf(table));
  const name = quoteName(table.name);
  const cleared = typeof treatment === 'object' ? treatment.cleared : [];
  if (cleared.length === 0 && where === undefined) return `${name} (${quoteColumns(table.columns)})`;
  const columns = table.columns.map((column) =>
    cleared.includes(column) ? `NULL AS ${escapeIdentifier(column)}` : escapeIdentifier(column),
  );
  return `(SELECT ${columns.join(', ')} FROM ${name} WHERE ${where ?? 'TRUE'})`;
}

/** After the rows: sequences belong to no snapshot, so they are past every number that was read. */
async function readSequences(client: Client): Promise<{ name: string; last: string }[]> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `SELECT schemaname || '.' || sequencename AS name, last_value::text AS last FROM pg_sequences
      WHERE schemaname IN ('public', 'raw') AND last_value IS NOT NULL ORDER BY 1`,
  );
  return rows;
}

/** Estimates the share by the size of tables: no table counts for more than that, and each for all of it once the next one begins. */
export function trackProgress(
  tables: readonly BackupTable[],
  onProgress: (progress: BackupProgress) => void = () => undefined,
): (table: BackupTable, length: number) => void {
  const total = Math.max(
    1,
    tables.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  let current: BackupTable | undefined;
  let before = 0;
  let own = 0;
  let bytes = 0;
  return (table, length) => {
    if (table !== current) {
      before += current?.bytes ?? 0;
      own = 0;
      current = table;
    }
    own += length;
    bytes += length;
    onProgress({ table: table.name, bytes, share: (before + Math.min(own, table.bytes)) / total });
  };
}
