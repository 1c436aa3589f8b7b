import { z } from 'zod';
import { type Cursor, formatCursor, parseCursor } from '@/lib/schemas/query';
import type { Incident } from './incident';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from './incident-statuses';

/** The order of the list: open incidents, then resolved ones. */
export const LOG_GROUPS = ['open', 'resolved'] as const;

/** A position in the list: right after the incident with this group and cursor. */
export type IncidentPlace = Cursor & { group: (typeof LOG_GROUPS)[number] };

/** An incident as a row of the list. */
export type IncidentLine = Omit<Incident, 'updates' | 'postmortem' | 'postmortemPublished'> & {
  hasPostmortem: boolean;
};

const ORIGINS = ['automatic', 'manual'] as const;

/** The query of the incidents screen. Invalid values are ignored. */
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

/** The query string for a filtered page of the list; empty for the first page without filters. */
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
