import type { IncidentSeverity, IncidentStatus } from '@/lib/platform/db/generated/enums';

export type OpenIncident = { id: string; status: IncidentStatus; severity: IncidentSeverity };

/** What a change of a monitor's status does to its automatic incident. */
export type IncidentDecision =
  | { action: 'open'; title: string; status: IncidentStatus; severity: IncidentSeverity; message: string }
  | { action: 'update'; title: string; status: IncidentStatus; severity: IncidentSeverity; message: string }
  | { action: 'resolve'; message: string }
  | { action: 'none' };

/**
 * The rules of decisions.md, "Incidents". The words are for the public: the monitor's name, never an address or an
 * error text.
 */
export function decideIncident(
  open: OpenIncident | null,
  status: 'operational' | 'degraded' | 'down',
  name: string,
): IncidentDecision {
  if (status === 'operational') {
    return open ? { action: 'resolve', message: `${name} is operational again.` } : { action: 'none' };
  }
  if (status === 'down') {
    const down = {
      title: `${name} is down`,
      status: 'investigating',
      severity: 'critical',
      message: `${name} is down.`,
    } as const;
    if (!open) return { action: 'open', ...down };
    const isKnown = open.status === down.status && open.severity === down.severity;
    return isKnown ? { action: 'none' } : { action: 'update', ...down };
  }
  if (!open) {
    const [title, message] = [`${name} is degraded`, `${name} shows degraded performance.`];
    return { action: 'open', title, status: 'investigating', severity: 'minor', message };
  }
  if (open.severity !== 'critical' || open.status === 'monitoring') return { action: 'none' };
  const message = `${name} is responding again, with degraded performance.`;
  return {
    action: 'update',
    title: `${name} is degraded`,
    status: 'monitoring',
    severity: open.severity,
    message,
  };
}
