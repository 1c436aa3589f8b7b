import { formatElapsed } from '@/lib/core/time/duration';
import type { Incident } from '@/lib/schemas/incidents/incident';

type Status = Incident['status'];
type Severity = Incident['severity'];

export const STATUS_LABELS: Record<Status, string> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

export const SEVERITY_LABELS: Record<Severity, string> = {
  minor: 'Minor',
  major: 'Major',
  critical: 'Critical',
};

export const STATUS_OPTIONS = optionsOf(STATUS_LABELS);
export const SEVERITY_OPTIONS = optionsOf(SEVERITY_LABELS);

/** How status pages show the monitors that an incident affects. */
export const SEVERITY_EFFECTS: Record<string, string> = {
  minor: 'Shown as degraded performance.',
  major: 'Shown as a partial outage.',
  critical: 'Shown as a major outage.',
};

function optionsOf(labels: Record<string, string>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

type Times = Pick<Incident, 'startedAt' | 'resolvedAt'>;

/** `open for 12m`, `resolved after 1h 5m`. */
export function formatIncidentDuration({ startedAt, resolvedAt }: Times, now: Date): string {
  const end = resolvedAt === null ? now.getTime() : Date.parse(resolvedAt);
  const length = formatElapsed(Math.max(0, end - Date.parse(startedAt)));
  return resolvedAt === null ? `open for ${length}` : `resolved after ${length}`;
}

/** `Shop, Checkout, Search, and 3 more`: at most three names, to fit one line. */
export function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, 3);
  const left = names.length - shown.length;
  return left > 0 ? `${shown.join(', ')}, and ${left} more` : shown.join(', ');
}

/** The same in a sentence: `Shop, Checkout, and Search`. */
export function listNames(names: readonly string[]): string {
  return names.length > 3 ? formatNames(names) : new Intl.ListFormat('en').format(names);
}

/** `12 subscribers`, `1 subscriber`. */
export function countSubscribers(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'subscriber' : 'subscribers'}`;
}
