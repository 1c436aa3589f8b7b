import type { PublicMonitor } from '@/lib/schemas/status-page';

/** How a page is altogether. `noData`: nothing is known to be wrong, but not all of it is known. */
export type OverallStatus = PublicMonitor['status'] | 'noData';

type Seen = Pick<PublicMonitor, 'status' | 'enabled' | 'inMaintenance'> & {
  /** When data ended; null while it arrives. */
  noDataSince: string | null;
};

/** A monitor that nothing is known of yet says least of all. */
const WORST_FIRST = ['down', 'degraded', 'noData', 'operational', 'pending'] as const;

/** The worst status of the monitors that are neither paused nor in maintenance; operational where there are none. */
export function overallStatus(monitors: readonly Seen[]): OverallStatus {
  const counted = monitors.filter((monitor) => monitor.enabled && !monitor.inMaintenance);
  const statuses = counted.map(({ status, noDataSince }) => (noDataSince === null ? status : 'noData'));
  return WORST_FIRST.find((status) => statuses.includes(status)) ?? 'operational';
}

/**
 * The worst last known status in the words of the API, which has none for missing data: never operational while some of it
 * is missing, but pending.
 */
export function publicStatus(monitors: readonly Seen[]): PublicMonitor['status'] {
  const known = monitors.map((monitor) => {
    const isBad = monitor.status === 'down' || monitor.status === 'degraded';
    return isBad ? { ...monitor, noDataSince: null } : monitor;
  });
  const status = overallStatus(known);
  return status === 'noData' ? 'pending' : status;
}
