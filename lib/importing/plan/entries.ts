import { isRecord } from '../files/loose';
import type { ImportedMonitor } from './plan';

const NO_SETTINGS = 'The entry has no settings that Pharos can read.';

/** An entry of a file that is no monitor, which would otherwise be missing from the plan. */
export function rejectEntry(name: string, reason = NO_SETTINGS): ImportedMonitor {
  return { name, kind: 'unknown', monitor: null, changes: [], reason };
}

/** The monitors of a list in its order, and its other entries, such as a number or null, as what cannot be imported. */
export function convertEntries(
  list: readonly unknown[],
  convert: (record: Record<string, unknown>) => ImportedMonitor,
): ImportedMonitor[] {
  return list.map((entry, index) => (isRecord(entry) ? convert(entry) : rejectEntry(`Entry ${index + 1}`)));
}
