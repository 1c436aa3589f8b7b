import type { Services } from '@/lib/context/services';
import type { PublicMonitor } from '@/lib/schemas/status-page';
import { overallStatus } from './overall-status';
import type { PageRow } from './page-row';

export type MonitorStatusRow = Pick<PublicMonitor, 'id' | 'name' | 'status' | 'enabled' | 'inMaintenance'>;

/** The overall status of a page, without the rest of what it shows. */
export async function readPageStatus(
  services: Pick<Services, 'db'>,
  { monitors }: Pick<PageRow, 'monitors'>,
): Promise<PublicMonitor['status']> {
  return overallStatus(await readMonitorStatuses(services, monitors));
}

/** How monitors are, in no order. */
export function readMonitorStatuses(
  { db }: Pick<Services, 'db'>,
  ids: string[],
): Promise<MonitorStatusRow[]> {
  return db.$queryRaw<MonitorStatusRow[]>`
    SELECT monitor.id, monitor.name, monitor.enabled, coalesce(state.status::text, 'pending') AS status,
           monitor.enabled AND state.status_before_maintenance IS NOT NULL AS "inMaintenance"
      FROM monitor LEFT JOIN monitor_state AS state ON state.monitor_id = monitor.id
     WHERE monitor.id = ANY(${ids})`;
}
