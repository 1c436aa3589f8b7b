import { StartupError } from '@/lib/core/errors';
import { countRows } from '../snapshot/copy-rows';
import { type BackupEnd, type BackupRecord, type BackupTable, type Manifest, unreadable } from './records';

/** What is done with the tables of a backup, in its order. `rows` must be consumed to their end. */
export type Sections = {
  manifest: Manifest;
  /** Calls `use` for each table, then checks its rows against their number and digest. Resolves to the end of the backup. */
  eachTable(use: (table: BackupTable, rows: AsyncGenerator<Buffer>) => Promise<void>): Promise<BackupEnd>;
};

/** Reads the records of a backup. Throws StartupError if they are not a complete backup, or do not match their sums. */
export async function readSections(records: AsyncIterable<BackupRecord>): Promise<Sections> {
  const iterator = records[Symbol.asyncIterator]();
  const next = async (): Promise<BackupRecord> => {
    const { value, done } = await iterator.next();
    if (done) throw unreadable();
    return value;
  };
  const first = await next();
  if (first.kind !== 'manifest') throw unreadable();
  return {
    manifest: first.value,
    eachTable: async (use) => {
      try {
        for (const expected of first.value.tables) {
          const start = await next();
          if (start.kind !== 'table' || start.value.name !== expected.name) throw unreadable();
          await readTable(start.value, next, use);
        }
        const end = await next();
        if (end.kind !== 'end' || !(await iterator.next()).done) throw unreadable();
        return end.value;
      } finally {
        // Closes the file or connection that the records come from.
        await iterator.return?.();
      }
    },
  };
}

async function readTable(
  table: BackupTable,
  next: () => Promise<BackupRecord>,
  use: (table: BackupTable, rows: AsyncGenerator<Buffer>) => Promise<void>,
): Promise<void> {
  const counter = countRows(table.name);
  let last: BackupRecord | null = null;
  async function* rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const record = await next();
      if (record.kind !== 'data') {
        last = record;
        return;
      }
      counter.add(record.value);
      yield record.value;
    }
  }
  await use(table, rows());
  const { rows: counted, digest } = counter.sum();
  const sum = await (last ?? next());
  if (sum.kind !== 'sum' || sum.value.name !== table.name) throw unreadable();
  if (sum.value.rows === counted && sum.value.digest === digest) return;
  throw new StartupError(
    `the backup is damaged: the rows of ${table.name} do not match their checksum. Use another copy`,
  );
}
