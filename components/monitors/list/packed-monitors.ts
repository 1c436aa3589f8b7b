import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import type { Sort } from './list-query';
import { sortMonitors } from './list-view';

/** Monitors as one text. React walks every value of an object, once to write and once to read it; a text it copies. */
export type PackedMonitors = string;

/** Time for React to send what it has. If it needs longer, the first rows come with all others. */
const HEAD_START_MS = 50;

/**
 * The monitors once the first rows are on their way: what it takes to sort and write thousands would delay them. In order, because the browser
 * sorts again, which then takes a tenth of the time.
 */
export function packLater(monitors: readonly MonitorOverview[], sort: Sort): Promise<PackedMonitors> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(packMonitors(sortMonitors(monitors, sort))), HEAD_START_MS);
  });
}

/** Most without the names of fields and what they have in common: less than half as long as JSON. */
export function packMonitors(monitors: readonly MonitorOverview[]): PackedMonitors {
  return JSON.stringify(monitors.map((monitor) => (isUsual(monitor) ? toValues(monitor) : monitor)));
}

export function unpackMonitors(packed: PackedMonitors): MonitorOverview[] {
  const rows: (Values | MonitorOverview)[] = JSON.parse(packed);
  return rows.map((row) => ('id' in row ? row : fromValues(row)));
}

const USUAL = { enabled: true, status: 'operational', maintenance: false, noDataSince: null } as const;

/** Whether a monitor is like most, with no fields but those of all. */
function isUsual(monitor: MonitorOverview): boolean {
  const { enabled, status, maintenance, noDataSince } = monitor;
  if (!enabled || maintenance || status !== USUAL.status || noDataSince !== null) return false;
  return Object.keys(monitor).length === Object.keys(USUAL).length + toValues(monitor).length;
}

type Values = ReturnType<typeof toValues>;

function toValues(monitor: MonitorOverview) {
  const { id, name, url, type, tags, regions, uptimePercentage, lastCheckedAt, changedAt, p95, alertsAfter } =
    monitor;
  const measured = [uptimePercentage, lastCheckedAt, changedAt, p95] as const;
  return [id, name, url, type, tags, regions, ...measured, alertsAfter] as const;
}

function fromValues(values: Values): MonitorOverview {
  const [id, name, url, type, tags, regions, uptimePercentage, lastCheckedAt, changedAt, p95, alertsAfter] =
    values;
  const measured = { uptimePercentage, lastCheckedAt, changedAt, p95 };
  const own = { id, name, url, type, tags, regions, ...measured, alertsAfter };
  return Object.assign(own, USUAL);
}
