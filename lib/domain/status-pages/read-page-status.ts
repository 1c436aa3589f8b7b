import type { Services } from '@/lib/domain/context/services';
import { readSilences } from '@/lib/domain/monitors/read-silences';
import type { PublicMonitor } from '@/lib/schemas/status-page';
import { type OverallStatus, overallStatus } from './overall-status';
import type { PageRow } from './page-row';

export type MonitorStatusRow = Pick<
  PublicMonitor,
  'id' | 'name' | 'status' | 'enabled' | 'inMaintenance' | 'noDataSince'
>;

/** The overall status of a page, without the rest of what it shows. */
export async function readPageStatus(
  services: Pick<Services, 'db' | 'clock'>,
  { monitors }: Pick<PageRow, 'monitors'>,
): Promise<OverallStatus> {
  return overallStatus(await readMonitorStatuses(services, monitors));
}

/** How monitors are, in no order. */
export async function readMonitorStatuses(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  ids: string[],
): Promise<MonitorStatusRow[]> {
  const silences = await readSilences(db, ids, clock.now());
  const rows = await db.$queryRaw<Omit<MonitorStatusRow, 'noDataSince'>[]>`
    SELECT monitor.id, monitor.name, monitor.enabled, coalesce(state.status::text, 'pending') AS status,
           monitor.enabled AND state.status_before_maintenance IS NOT NULL AS "inMaintenance"
      FROM monitor LEFT JOIN monitor_state AS state ON state.monitor_id = monitor.id
     WHERE monitor.id = ANY(${ids})`;
  return rows.map((row) => {
    return { ...row, noDataSince: silences.get(row.id)?.noDataSince?.toISOString() ?? null };
  });
}
