import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import type { MessageStep } from '@/lib/webhook-formats/editable';

/** What a message says about its incident. Of a resolved one, the severity does not matter. */
export type MessageStatus = {
  status: (typeof INCIDENT_STATUSES)[number];
  severity: (typeof INCIDENT_SEVERITIES)[number];
};

/**
 * The status of the incident after an event. `known` is what people heard last: an event about a degraded monitor has only the ID of its
 * incident, which is a new minor one, or a critical one that is monitored from then on.
 */
export function statusAfter(event: EventContent, known: MessageStatus | null): MessageStatus {
  switch (event.event) {
    case 'monitor.up':
      return { status: 'resolved', severity: known?.severity ?? 'minor' };
    case 'monitor.degraded':
      if (known === null || known.status === 'resolved')
        return { status: 'investigating', severity: 'minor' };
      return known.severity === 'critical' ? { status: 'monitoring', severity: 'critical' } : known;
    default: {
      const { status, severity } = event.incident;
      return { status, severity };
    }
  }
}

/** Compares the status of an incident with what people heard of it before. */
export function compareStatuses(before: MessageStatus | null, after: MessageStatus): MessageStep {
  if (before === null) return 'first';
  const isOver = after.status === 'resolved';
  if (isOver || before.status === 'resolved') return after.status === before.status ? 'same' : 'loud';
  const isWorse = rankOf(after) > rankOf(before);
  const isBack = after.status === 'investigating' && before.status !== 'investigating';
  if (isWorse || isBack) return 'loud';
  return after.status === before.status ? 'same' : 'quiet';
}

const rankOf = ({ severity }: MessageStatus) => INCIDENT_SEVERITIES.indexOf(severity);

/** A status as it is stored. */
export const formatStatus = ({ status, severity }: MessageStatus): string => `${status} ${severity}`;

/** Reads a stored status; null for one that is not known. */
export function parseStatus(stored: string | null): MessageStatus | null {
  const [first, second] = stored?.split(' ') ?? [];
  const status = INCIDENT_STATUSES.find((each) => each === first);
  const severity = INCIDENT_SEVERITIES.find((each) => each === second);
  return status && severity ? { status, severity } : null;
}
