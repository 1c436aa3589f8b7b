import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { readSilences } from '@/lib/domain/monitors/read-silences';
import { readUptimes } from '@/lib/domain/monitors/uptime';
import type { BadgeQuery } from '@/lib/schemas/badge';
import type { PageRow } from './page-row';
import { type MonitorStatusRow, readMonitorStatuses, readPageStatus } from './read-page-status';
import type { BadgeFigure } from './write-badge';

/**
 * What a badge of a page shows: the page's overall status, or the status or the 30-day uptime of one of its monitors.
 * Throws NOT_FOUND for a monitor that is not on the page.
 */
export async function readBadge(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  page: PageRow,
  { monitor: id, show, label }: BadgeQuery,
): Promise<{ label: string; figure: BadgeFigure }> {
  if (id === undefined) {
    return { label: label ?? page.name, figure: { state: await readPageStatus({ db, clock }, page) } };
  }
  const [monitor] = page.monitors.includes(id) ? await readMonitorStatuses({ db, clock }, [id]) : [];
  if (monitor === undefined) throw new DomainError('NOT_FOUND', 'There is no such monitor on this page.');
  const own = label ?? monitor.name;
  if (show === 'status') {
    return { label: own, figure: { state: shownState(monitor) } };
  }
  const now = clock.now();
  const silences = await readSilences(db, [id], now);
  const uptimes = await readUptimes(db, [id], now, silences);
  const isCurrent = monitor.noDataSince === null;
  return { label: own, figure: { uptimePercentage: uptimes.get(id) ?? 100, isCurrent } };
}

function shownState({ enabled, inMaintenance, noDataSince, status }: MonitorStatusRow) {
  if (!enabled) return 'paused';
  if (inMaintenance) return 'maintenance';
  return noDataSince === null ? status : 'noData';
}
