import type { ImportedMonitor, ImportPlan, ImportSource, ReadFile } from './plan/plan';
import { takeRef } from './plan/ref';

export { MAX_DATABASE_BYTES, MAX_TEXT_BYTES } from './files/decode';
export type { ImportedMonitor, ImportPlan, ImportSource, MonitorBody } from './plan/plan';
export { IMPORT_SOURCES, MAX_ITEMS } from './plan/plan';

/**
 * Each loaded when it is used: they bring parsers, and SQLite is a megabyte. The modules here are loaded instead of the packages,
 * because those in CommonJS lose their named exports if a bundle loads them dynamically.
 */
const READERS: Record<ImportSource, (file: Uint8Array) => Promise<ReadFile>> = {
  'uptime-kuma': async (file) => (await import('./uptime-kuma/read-uptime-kuma')).readUptimeKuma(file),
  uptimerobot: async (file) => (await import('./uptimerobot/read-uptimerobot')).readUptimeRobot(file),
  'better-stack': async (file) => (await import('./better-stack/read-better-stack')).readBetterStack(file),
  gatus: async (file) => (await import('./gatus/read-gatus')).readGatus(file),
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
 * 10,000 monitors, and PAYLOAD_TOO_LARGE for a database of more than 64 MiB or another file of more than 5 MiB.
 */
export async function readImport(source: ImportSource, file: Uint8Array): Promise<ImportPlan> {
  const { items, notes } = await READERS[source](file);
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
