import { DomainError } from '@/lib/core/errors';
import type { MonitorStatus } from '@/lib/db/generated/enums';
import type { ListMonitorsQuery } from '@/lib/schemas/monitor-query';

/** What monitors are sorted by. */
export type SortableMonitor = { id: string; name: string; createdAt: Date; status: MonitorStatus };

/** Trouble first. */
const STATUS_ORDER: readonly MonitorStatus[] = ['down', 'degraded', 'pending', 'operational'];

type Place = [key: string | number, id: string];

/**
 * The ids of one page of monitors, and the cursor of the next; null where there is none. A cursor names a place in the
 * order and not a monitor, so that a page can be asked for after its predecessor's last monitor is gone.
 */
export function pageMonitors(
  monitors: readonly SortableMonitor[],
  { sort, limit, cursor }: Pick<ListMonitorsQuery, 'sort' | 'limit' | 'cursor'>,
): { ids: string[]; next: string | null } {
  const direction = sort.startsWith('-') ? -1 : 1;
  const after = cursor === undefined ? null : parsePlace(cursor);
  const places = monitors
    .map((monitor): Place => [sortKey(monitor, sort), monitor.id])
    .filter((place) => after === null || direction * comparePlaces(place, after) > 0)
    .sort((a, b) => direction * comparePlaces(a, b));
  const page = places.slice(0, limit);
  const last = page.at(-1);
  const hasMore = page.length < places.length && last !== undefined;
  return { ids: page.map(([, id]) => id), next: hasMore ? formatPlace(last) : null };
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

function comparePlaces([a, idA]: Place, [b, idB]: Place): number {
  if (a !== b) return a < b ? -1 : 1;
  return idA === idB ? 0 : idA < idB ? -1 : 1;
}

function formatPlace(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function parsePlace(cursor: string): Place {
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if ((typeof key === 'string' || typeof key === 'number') && typeof id === 'string') return [key, id];
  } catch {
    // Refused below, like what is no place.
  }
  const detail = {
    path: 'cursor',
    code: 'invalid',
    message: 'must be the cursor of a page that was answered before',
  };
  throw new DomainError('VALIDATION_ERROR', 'The request is not valid: cursor.', [detail]);
}
