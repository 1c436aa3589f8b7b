import { z } from 'zod';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from './incident-statuses';
import { pageQuery } from './query';
import { changesOf, givenInstantSchema, idText, instantSchema, text } from './text';

const status = z.enum(INCIDENT_STATUSES, `must be one of ${INCIDENT_STATUSES.join(', ')}`);
const severity = z.enum(INCIDENT_SEVERITIES, `must be one of ${INCIDENT_SEVERITIES.join(', ')}`);
const message = text(1, 5000);

const fields = {
  title: text(1, 200),
  description: text(0, 5000),
  status,
  severity,
  affectedMonitors: z
    .array(idText('must be a monitor id'), 'must be an array of monitor ids')
    .max(1000, 'must be at most 1000 monitors')
    .refine((ids) => new Set(ids).size === ids.length, 'must not repeat a monitor'),
};

const startedAt = givenInstantSchema.nullable().meta({
  description:
    'When it began, not in the future; null: when it was opened. Read-only for an automatic incident, which begins with the first check of the run that opened it',
});

/** The body of POST /incidents. */
export const createIncidentSchema = z.strictObject({
  title: fields.title,
  description: fields.description.default(''),
  status: status.default('investigating'),
  severity: severity.default('major'),
  affectedMonitors: fields.affectedMonitors.default([]),
  startedAt: startedAt.default(null),
});

const postmortemFields = {
  postmortem: text(0, 20_000)
    .nullable()
    .transform((written) => written || null)
    .meta({
      description:
        'What went wrong and what was learned, as light Markdown: headings, lists, quotes, code, links. No HTML. Without it none is published',
    }),
  postmortemPublished: z
    .boolean('must be true or false')
    .meta({ description: 'Whether status pages show it with the incident' }),
};

/** The body of POST /incidents/:id/updates: what is to be said, and the status from now on where it changes. */
export const createIncidentUpdateSchema = z.strictObject({
  message,
  status: status.optional().meta({
    description: 'Only a change of it is told: incident.resolved, or incident.updated. Another one reopens',
  }),
});

const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .optional();

/** The query of GET /incidents. */
export const incidentsQuerySchema = z.strictObject({
  status: status.optional(),
  open: flag.meta({ description: 'true: those that are not resolved' }),
  severity: severity.optional(),
  automatic: flag,
  monitor: z
    .string('must be a monitor id')
    .max(100, 'must be a monitor id')
    .regex(/^mon_[0-9a-z]+$/, 'must be a monitor id')
    .optional()
    .meta({ description: 'Those that affect this monitor' }),
  ...pageQuery,
});

const updateSchema = z
  .strictObject({
    id: z.string().regex(/^upd_/),
    status: z.enum(INCIDENT_STATUSES).meta({ description: 'The status from this update on' }),
    message: z.string(),
    author: z
      .string()
      .nullable()
      .meta({ description: 'Who wrote it, as they were called then; null: the service itself' }),
    createdAt: instantSchema,
  })
  .meta({ id: 'IncidentUpdate' });

/** An incident as the API answers it. */
export const incidentSchema = z
  .strictObject({
    id: z.string().regex(/^inc_/),
    title: z.string(),
    description: z.string(),
    status: z.enum(INCIDENT_STATUSES),
    severity: z.enum(INCIDENT_SEVERITIES),
    affectedMonitors: z.array(z.string()),
    automatic: z.boolean().meta({ description: 'Opened by the status of a monitor, not by a person' }),
    startedAt: instantSchema.meta({
      description: 'When it began: of an automatic incident the first check of the run that opened it',
    }),
    createdAt: instantSchema.meta({ description: 'When it was opened' }),
    updatedAt: instantSchema,
    resolvedAt: instantSchema.nullable().meta({
      description:
        'When it was over: of an automatic incident the first check of the run that resolved it. From startedAt to it is `duration`',
    }),
    postmortem: z.string().nullable(),
    postmortemPublished: z.boolean(),
    updates: z.array(updateSchema).meta({ description: 'Newest first' }),
  })
  .meta({ id: 'Incident' });

/** The body of PUT /incidents/:id; `message` is the text of the update. */
export const updateIncidentSchema = changesOf(
  { ...fields, startedAt, ...postmortemFields, message },
  incidentSchema,
);

export type Incident = z.output<typeof incidentSchema>;
export type CreateIncident = z.output<typeof createIncidentSchema>;
export type IncidentChanges = z.output<typeof updateIncidentSchema>;
export type NewIncidentUpdate = z.output<typeof createIncidentUpdateSchema>;
export type IncidentsQuery = z.output<typeof incidentsQuerySchema>;
