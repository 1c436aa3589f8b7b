import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import { formatCursor } from '@/lib/schemas/query';

/** The URL of a monitor's page with this view; defaults are left out. */
export function monitorHref(id: string, view: MonitorView): string {
  const search = new URLSearchParams({
    ...(view.window === '24h' ? {} : { window: view.window }),
    ...(view.by === 'all' ? {} : { by: view.by }),
    ...(view.region ? { region: view.region } : {}),
    ...(view.outcome ? { outcome: view.outcome } : {}),
    ...(view.after ? { after: formatCursor(view.after) } : {}),
    ...(view.changes ? { changes: formatCursor(view.changes) } : {}),
  });
  return search.size > 0 ? `/monitors/${id}?${search}` : `/monitors/${id}`;
}
