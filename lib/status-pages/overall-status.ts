import type { PublicMonitor } from '@/lib/schemas/status-page';

/** A monitor that nothing is known of yet says least of all. */
const WORST_FIRST = ['down', 'degraded', 'operational', 'pending'] as const;

/** The worst status of the monitors that are neither paused nor in maintenance; operational where there are none. */
export function overallStatus(
  monitors: readonly Pick<PublicMonitor, 'status' | 'enabled' | 'inMaintenance'>[],
): PublicMonitor['status'] {
  const counted = monitors.filter((monitor) => monitor.enabled && !monitor.inMaintenance);
  return WORST_FIRST.find((status) => counted.some((one) => one.status === status)) ?? 'operational';
}
