import { z } from 'zod';
import type { Incident } from './incident';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from './incident-statuses';
import { type Cursor, formatCursor, parseCursor } from './query';

/** The order in which people read incidents: what goes on, then what is over. */
export const LOG_GROUPS = ['open', 'resolved'] as const;

/** A place in the list: right after the incident of this group that has these. */
export type IncidentPlace = Cursor & { group: (typeof LOG_GROUPS)[number] };

/** An incident as a row of the list. */
export type IncidentLine = Omit<Incident, 'updates' | 'postmortem' | 'postmortemPublished'> & {
  hasPostmortem: boolean;
};

const ORIGINS = ['automatic', 'manual'] as const;

/** The address of a page of the list; what nobody could have been led to shows the beginning, not an error. */
export const incidentLogSchema = z.object({
  status: z
    .enum([...INCIDENT_STATUSES, 'open'])
    .optional()
    .catch(undefined),
  severity: z.enum(INCIDENT_SEVERITIES).optional().catch(undefined),
  origin: z.enum(ORIGINS).optional().catch(undefined),
  monitor: z
    .string()
    .max(100)
    .regex(/^mon_[0-9a-z]+$/)
    .optional()
    .catch(undefined),
  after: z
    .string()
    .max(1000)
    .optional()
    .catch(undefined)
    .transform((text) => (text === undefined ? null : parsePlace(text))),
});

export type IncidentLogQuery = z.output<typeof incidentLogSchema>;

/** The query of an address at which the list is shown as asked for; empty for the whole list from its beginning. */
export function formatIncidentLog({ after, ...filter }: IncidentLogQuery): string {
  const given = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const place = after ? [['after', `${after.group}.${formatCursor(after)}`]] : [];
  return new URLSearchParams([...given, ...place]).toString();
}

function parsePlace(text: string): IncidentPlace | null {
  const [name = '', ...rest] = text.split('.');
  const group = LOG_GROUPS.find((each) => each === name);
  const cursor = parseCursor(rest.join('.'));
  return group && cursor ? { group, ...cursor } : null;
}
