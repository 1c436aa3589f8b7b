import { readSections, type Sections } from '../archive/read-sections';
import type { BackupEnd, BackupRecord } from '../archive/records';
import { requireStopped } from '../restore/empty-target';
import type { Remainder } from '../restore/restore-backup';
import { readSnapshot, type SnapshotOptions } from '../snapshot/read-snapshot';
import { findIntact, type Horizon, isAfter, isBefore, readHorizon } from '../snapshot/row-versions';

type Options = Omit<SnapshotOptions, 'choose' | 'onProgress'>;

/** The rows that are copied while the service runs, and what tells them from those that are written meanwhile. */
export type History = { sections: Sections; horizon: Horizon };

/** Reads the rows of all partitions (results and rollups): most rows of an installation, and almost never changed again. */
export async function readHistory(url: string, options: Options): Promise<History> {
  let horizon: Horizon = '';
  const records = readSnapshot(url, {
    ...options,
    choose: async (client, tables) => {
      horizon = await readHorizon(client);
      const partitions = tables.filter(({ partition }) => partition !== null);
      return partitions.map((table) => ({ table, where: isBefore(horizon) }));
    },
  });
  const sections = await readSections(records);
  return { sections, horizon };
}

/**
 * Reads what a stopped service has written since `readHistory`: rows added to partitions, partitions that lost any of the copied rows
 * as a whole, and all other tables. Throws StartupError if a process of Pharos is connected before or after.
 */
export async function readRemainder(
  url: string,
  { horizon, copied }: { horizon: Horizon; copied: BackupEnd },
  options: Options,
): Promise<Remainder> {
  await requireStopped(url);
  const kept = new Set<string>();
  const records = readSnapshot(url, {
    ...options,
    choose: async (client, tables) => {
      const names = new Set(tables.map(({ name }) => name));
      const remaining = copied.tables.filter(({ name }) => names.has(name));
      const intact = await findIntact(client, remaining, horizon);
      for (const name of intact.keys()) kept.add(name);
      return tables.flatMap((table) => {
        const added = intact.get(table.name);
        if (added === undefined) return [{ table }];
        const bytes = Math.ceil(table.bytes * added);
        return added === 0 ? [] : [{ table: { ...table, bytes }, where: isAfter(horizon) }];
      });
    },
  });
  return { sections: await readSections(untilStopped(records, url)), kept };
}

/** Reads all of a stopped service. Throws StartupError if a process of Pharos is connected before or after: it may have written. */
export async function readStopped(url: string, options: Options): Promise<Sections> {
  await requireStopped(url);
  return readSections(untilStopped(readSnapshot(url, options), url));
}

async function* untilStopped(
  records: AsyncGenerator<BackupRecord>,
  url: string,
): AsyncGenerator<BackupRecord> {
  for await (const record of records) {
    if (record.kind === 'end') await requireStopped(url);
    yield record;
  }
}
