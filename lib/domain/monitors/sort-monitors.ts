import type { MonitorStatus } from '@/lib/platform/db/generated/enums';
import type { ListMonitorsQuery } from '@/lib/schemas/monitor-query';
import { pageItems } from '@/lib/schemas/whole-list';

/** What monitors are sorted by. */
export type SortableMonitor = { id: string; name: string; createdAt: Date; status: MonitorStatus };

/** Trouble first. */
const STATUS_ORDER: readonly MonitorStatus[] = ['down', 'degraded', 'pending', 'operational'];

/** One page of monitors, and the cursor of the next; null where there is none. */
export function pageMonitors<T extends SortableMonitor>(
  monitors: readonly T[],
  query: Pick<ListMonitorsQuery, 'sort' | 'limit' | 'cursor'>,
): { items: T[]; next: string | null } {
  return pageItems(monitors, query, (monitor) => sortKey(monitor, query.sort));
}

function sortKey(monitor: SortableMonitor, sort: ListMonitorsQuery['sort']): string | number {
  switch (sort) {
    case 'name':
    case '-name':
      return monitor.name.toLowerCase();
    case 'createdAt':
    case '-createdAt':
      return monitor.createdAt.getTime();
    case 'status':
    case '-status':
      return STATUS_ORDER.indexOf(monitor.status);
  }
}
