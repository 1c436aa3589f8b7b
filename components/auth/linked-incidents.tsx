import type { LinkedIncident } from '@/lib/domain/incidents/acknowledge/acknowledge-by-link';

/** The incidents that a link acknowledges, each with who works on it. */
export function LinkedIncidents({ incidents }: { incidents: readonly LinkedIncident[] }) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {incidents.map((incident) => (
        <li key={incident.id} className="flex flex-col px-3 py-2">
          <span className="font-medium wrap-anywhere">{incident.title}</span>
          <span className="text-muted wrap-anywhere">{formatState(incident)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Where they are in the dashboard, and the text of a link to it. */
export function linkToIncidents(incidents: readonly LinkedIncident[]): { href: string; label: string } {
  const [only, ...others] = incidents;
  return only && others.length === 0
    ? { href: `/incidents/${only.id}`, label: 'View incident' }
    : { href: '/incidents', label: 'View incidents' };
}

function formatState({ isResolved, acknowledgedBy }: LinkedIncident): string {
  const by = acknowledgedBy === null ? 'Not acknowledged' : `Acknowledged by ${acknowledgedBy}`;
  return isResolved ? `Resolved. ${by}` : by;
}
