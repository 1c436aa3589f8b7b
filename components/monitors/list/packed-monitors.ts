import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';

/** Monitors as one text. React walks every value of an object, once to write and once to read it; a text it copies. */
export type PackedMonitors = string;

/** Time for React to send what it has. If it needs longer, the first rows come with all others. */
const HEAD_START_MS = 50;

/** The monitors once the first rows are on their way: megabytes before them would delay them. */
export function packLater(monitors: readonly MonitorOverview[]): Promise<PackedMonitors> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(JSON.stringify(monitors)), HEAD_START_MS);
  });
}

export function unpackMonitors(packed: PackedMonitors): MonitorOverview[] {
  return JSON.parse(packed);
}
