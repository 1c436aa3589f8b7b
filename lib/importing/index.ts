import { invalidState } from '@/lib/core/errors';
import {
  type ImportedMonitor,
  type ImportPlan,
  type ImportSource,
  type ReadFile,
  TAKES_FILES,
} from './plan/plan';
import { takeRef } from './plan/ref';

export { MAX_DATABASE_BYTES, MAX_TEXT_BYTES } from './files/decode';
export type { ImportedMonitor, ImportPlan, ImportSource, MonitorBody } from './plan/plan';
export { IMPORT_SOURCES, MAX_ITEMS, TAKES_FILES } from './plan/plan';

/** `variables`: the environment that placeholders in the configuration of Gatus stand for. */
export type ReadOptions = { variables?: Readonly<Record<string, string>> };

type Reader = (
  file: Uint8Array,
  all: readonly Uint8Array[],
  variables: Readonly<Record<string, string>>,
) => Promise<ReadFile>;

/**
 * Each loaded when it is used: they bring parsers, and SQLite is a megabyte. The modules here are loaded instead of the packages,
 * because those in CommonJS lose their named exports if a bundle loads them dynamically.
 */
const READERS: Record<ImportSource, Reader> = {
  'uptime-kuma': async (file) => (await import('./uptime-kuma/read-uptime-kuma')).readUptimeKuma(file),
  uptimerobot: async (file) => (await import('./uptimerobot/read-uptimerobot')).readUptimeRobot(file),
  'better-stack': async (file) => (await import('./better-stack/read-better-stack')).readBetterStack(file),
  gatus: async (_, all, variables) => (await import('./gatus/read-gatus')).readGatus(all, variables),
  openstatus: async (file) => (await import('./openstatus/read-openstatus')).readOpenstatus(file),
  upptime: async (file) => (await import('./upptime/read-upptime')).readUpptime(file),
  healthchecks: async (file) => (await import('./healthchecks/read-healthchecks')).readHealthchecks(file),
  prometheus: async (file) => (await import('./prometheus/read-prometheus')).readPrometheus(file),
  csv: async (file) => (await import('./csv/read-csv')).readCsv(file),
};

/**
 * Turns an export of another product into monitors of Pharos, in Node.js and in browsers. It neither connects anywhere nor runs
 * anything of the file. Every monitor of the plan is a valid body of POST /monitors, with a ref that is unique in the plan and the same for the next
 * export. Throws VALIDATION_ERROR, with a sentence on what to do, for a file that is not of this source or has more than
 * 10,000 monitors, and PAYLOAD_TOO_LARGE for a database of more than 64 MiB or another file of more than 5 MiB. Only Gatus splits its
 * configuration, so only there several files are one import, and the limits are those of all of them.
 */
export async function readImport(
  source: ImportSource,
  files: Uint8Array | readonly Uint8Array[],
  { variables = {} }: ReadOptions = {},
): Promise<ImportPlan> {
  const all = files instanceof Uint8Array ? [files] : files;
  const [file = new Uint8Array(), ...others] = all;
  if (others.length > 0 && !TAKES_FILES.has(source))
    throw invalidState('There are several files. Import them one by one.');
  const { items, notes } = await READERS[source](file, all, variables);
  return { source, items: withUniqueRefs(items), notes };
}

function withUniqueRefs(items: readonly ImportedMonitor[]): ImportedMonitor[] {
  const taken = new Map<string, number>();
  return items.map((item) =>
    item.monitor === null
      ? item
      : { ...item, monitor: { ...item.monitor, ref: takeRef(item.monitor.ref, taken) } },
  );
}
