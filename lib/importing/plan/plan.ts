import type { MonitorConfig } from '@/lib/schemas/monitor/fields';

/** The products and formats that monitors can be imported from. */
export const IMPORT_SOURCES = [
  'uptime-kuma',
  'uptimerobot',
  'better-stack',
  'gatus',
  'openstatus',
  'upptime',
  'healthchecks',
  'prometheus',
  'csv',
] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/** The sources whose configuration can be several files. */
export const TAKES_FILES: ReadonlySet<ImportSource> = new Set<ImportSource>(['gatus']);

/** Most monitors in one import. */
export const MAX_ITEMS = 10_000;

declare const complete: unique symbol;

/**
 * The body of a monitor with every field that its format can express, so that nothing of an earlier export remains. Only a `Draft` makes
 * one. Fields that the format does not define are left out, and so are those that the file leaves out because they are secret:
 * an import keeps both. `[hidden]` stands for a value that the file hides.
 */
export type MonitorBody = Pick<MonitorConfig, 'name' | 'url' | 'type'> & { ref: string } & Partial<
    Omit<MonitorConfig, 'ref'>
  > & { readonly [complete]: true };

/** One monitor of the other product. */
export type ImportedMonitor = {
  /** As there; may be longer than a name in Pharos. */
  name: string;
  /** The other product's type, such as `http`, `keyword` or `docker`. */
  kind: string;
  /** A valid and complete body; null if the monitor cannot be imported. Its `ref` is unique in the plan, and the same in the next export. */
  monitor: MonitorBody | null;
  /** What differs in Pharos, as sentences without secrets. */
  changes: string[];
  /** Why the monitor cannot be imported; null if it can. */
  reason: string | null;
};

export type ImportPlan = {
  source: ImportSource;
  items: ImportedMonitor[];
  /** What else the file contains and is not imported, as sentences. */
  notes: string[];
};

/** What a reader of one format returns. Its refs may repeat; `readImport` makes them unique. */
export type ReadFile = Omit<ImportPlan, 'source'>;
