import { formatCursor } from '@/lib/schemas/cursor';
import type { MonitorView } from '@/lib/schemas/monitor-view';

/** The address of a monitor's page that shows it so; what is as usual is left out. */
export function monitorAddress(id: string, view: MonitorView): string {
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
