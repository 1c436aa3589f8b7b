import type { IncidentLine } from '@/lib/schemas/incident-log';

export type IncidentGroup = { heading: string; incidents: IncidentLine[] };

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Incidents in the order of the list under their headings: what is open, then the month (UTC) in which each was opened. */
export function groupIncidents(incidents: readonly IncidentLine[]): IncidentGroup[] {
  const groups: IncidentGroup[] = [];
  for (const incident of incidents) {
    const heading = incident.resolvedAt === null ? 'Open' : MONTH.format(new Date(incident.createdAt));
    const last = groups.at(-1);
    if (last?.heading === heading) last.incidents.push(incident);
    else groups.push({ heading, incidents: [incident] });
  }
  return groups;
}
