import { z } from 'zod';
import { formatGroupCursor, type GroupCursor, parseGroupCursor } from '@/lib/schemas/cursor';
import { lenient, placeOnScreen } from '@/lib/schemas/query';
import { monitorIdSchema } from '@/lib/schemas/text';
import type { Incident } from './incident';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from './incident-statuses';

/** The order of the list: open incidents, then resolved ones. */
export const LOG_GROUPS = ['open', 'resolved'] as const;

/** A position in the list: right after the incident with this group and cursor. */
export type IncidentPlace = GroupCursor<(typeof LOG_GROUPS)[number]>;

/** An incident as a row of the list. */
export type IncidentLine = Omit<
  Incident,
  'updates' | 'scheduledUpdates' | 'postmortem' | 'postmortemPublished' | 'publishedOn'
> & {
  hasPostmortem: boolean;
};

const ORIGINS = ['automatic', 'manual'] as const;

/** The query of the incidents screen. Invalid values are ignored. */
export const incidentLogSchema = z.object({
  status: lenient(z.enum([...INCIDENT_STATUSES, 'open'])),
  severity: lenient(z.enum(INCIDENT_SEVERITIES)),
  origin: lenient(z.enum(ORIGINS)),
  monitor: lenient(monitorIdSchema),
  after: placeOnScreen((text) => parseGroupCursor(LOG_GROUPS, text)),
});
export type IncidentLogQuery = z.output<typeof incidentLogSchema>;

/** The query string for a filtered page of the list; empty for the first page without filters. */
export function formatIncidentLog({ after, ...filter }: IncidentLogQuery): string {
  const given = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const place = after ? [['after', formatGroupCursor(after)]] : [];
  return new URLSearchParams([...given, ...place]).toString();
}
