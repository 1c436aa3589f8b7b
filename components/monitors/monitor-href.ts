import { hrefWith } from '@/components/ui/navigation/href-with';
import { formatCursor } from '@/lib/schemas/cursor';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';

/** The URL of a monitor's page with this view; what is not chosen is left out. */
export function monitorHref(id: string, view: MonitorView): string {
  return hrefWith(`/monitors/${id}`, {
    window: view.window,
    from: view.from,
    to: view.to,
    by: view.by === 'all' ? null : view.by,
    region: view.region,
    outcome: view.outcome,
    after: view.after && formatCursor(view.after),
    evidence: view.evidence,
    changes: view.changes && formatCursor(view.changes),
  });
}

/** The ID of the section with evidence. */
export const EVIDENCE_ID = 'evidence';

/** `monitorHref` at the section with the chosen evidence. */
export function evidenceHref(id: string, view: MonitorView): string {
  return `${monitorHref(id, view)}#${EVIDENCE_ID}`;
}
