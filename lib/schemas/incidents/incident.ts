import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { flagQuery, pageQuery } from '@/lib/schemas/query';
import {
  boundedRecord,
  changesOf,
  componentIdsSchema,
  createdAtSchema,
  creationOf,
  givenInstantSchema,
  idLike,
  instantSchema,
  monitorIdSchema,
  monitorIdsSchema,
  nameText,
  oneOf,
  text,
  updatedAtSchema,
  versionSchema,
} from '@/lib/schemas/text';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from './incident-statuses';
import { incidentTranslationsSchema, messageTranslationsSchema } from './translations';

const status = oneOf(INCIDENT_STATUSES);
const severity = oneOf(INCIDENT_SEVERITIES);
/** The text of an update. */
export const updateMessageSchema = text(1, 5000);

/** Its severity for single rows: at most 1000 monitors and 1000 components. */
export const impactsSchema = boundedRecord(z.string().max(100), severity, 2000).describe(
  'The severity for single rows, by the ID of an affected monitor or component; for the others, it is `severity`. Status pages show each row by its own',
);
export type Impacts = z.output<typeof impactsSchema>;

/** A week. */
const MAX_QUIET_MINUTES = 10_080;
/** The updates of an incident that can be scheduled at a time. */
export const MAX_SCHEDULED_UPDATES = 20;

/** The quiet time that a scheduled update sets if people are to resolve the incident, because null is no change. */
export const NO_QUIET_TIME = 0;

const quietMinutes = z
  .int('must be a whole number')
  .max(MAX_QUIET_MINUTES, `must be at most ${MAX_QUIET_MINUTES}`);
const resolveAfterMinutes = quietMinutes
  .min(1, 'must be at least 1')
  .nullable()
  .describe(
    'Minutes after which it is resolved while it is `monitoring`, if all affected monitors were operational throughout; any other state of one starts the count again. null: people resolve it',
  );

/** What people enter about an incident. */
export const incidentFields = {
  title: described(nameText(1, 200), 'The title, shown publicly', 'Checkout is slow'),
  description: described(
    text(0, 5000),
    'More for people; null or empty for none',
    'Orders may take longer than usual.',
  ),
  status: status.describe('The current status'),
  severity: described(severity, 'How bad it is: minor, major or critical', 'major'),
  affectedMonitors: described(monitorIdsSchema, 'The IDs of the affected monitors', [
    'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
  ]),
  resolveAfterMinutes: resolveAfterMinutes.meta({ example: 30 }),
  affectedComponents: described(
    componentIdsSchema,
    'The affected components: rows of status pages without a monitor, whose state only incidents set',
    ['cmp_01kxk1j7c2e5x8q3n6w4r9t0zb'],
  ),
  impacts: impactsSchema.meta({ example: { mon_01kxk1j7c2e5x8q3n6w4r9t0zb: 'critical' } }),
  translations: incidentTranslationsSchema,
};

const startedAt = givenInstantSchema
  .nullable()
  .describe(
    'When the incident started, not in the future; null: when it was created. Read-only for automatic incidents, which start with the first check of the run that opened them',
  );

const DEFAULTS = {
  description: '',
  status: 'investigating',
  severity: 'major',
  affectedMonitors: [],
  affectedComponents: [],
  resolveAfterMinutes: null,
  impacts: {},
  translations: {},
} as const;

/** The body of POST /incidents. */
export const createIncidentSchema = z.strictObject({
  ...creationOf(incidentFields, DEFAULTS),
  startedAt: startedAt.default(null),
});

/** What people enter about what they learned. */
export const postmortemFields = {
  postmortem: described(
    text(0, 20_000)
      .nullable()
      .transform((written) => written || null),
    'What went wrong and what was learned. Supports headings, lists, quotes, code and links in Markdown; no HTML. If empty, no postmortem is published',
    null,
  ),
  postmortemPublished: described(
    z.boolean('must be true or false'),
    'Whether status pages show the postmortem',
    false,
  ),
};

const publishedOn = z
  .array(idLike(/^sp_[0-9a-z]+$/, 'must be a status page ID'), 'must be an array of status page IDs')
  .max(1000, 'must have at most 1000 status pages')
  .refine((ids) => new Set(ids).size === ids.length, 'must not contain duplicates')
  .describe(
    'IDs of the status pages on which this automatic incident was published, by a person or after the minutes that the page waits. Pages that show automatic incidents immediately need not be listed. A page that is added for the first time emails its subscribers if the incident is open',
  );

const SET_QUIET_TIME = 'The quiet time that it sets; 0: none, people resolve the incident; null: no change';
const PUBLISH_AT =
  'When to publish the update, within a year. It is then published once, unless the incident is resolved';

/** The body of POST /incidents/:id/updates: the message, the new status if it changes, and when to publish it if not now. */
export const createIncidentUpdateSchema = z.strictObject({
  message: described(
    updateMessageSchema,
    'What people should know',
    'We found the cause and are working on a fix.',
  ),
  status: status
    .nullable()
    .default(null)
    .describe(
      'The new status; null: no change. A change sends incident.resolved or incident.updated; any status other than resolved reopens a resolved incident',
    ),
  resolveAfterMinutes: resolveAfterMinutes.optional().meta({ example: 30 }),
  translations: messageTranslationsSchema.nullable().default(null),
  publishAt: givenInstantSchema.nullable().default(null).describe(`${PUBLISH_AT}. null: now`),
});

/** The query of GET /incidents. */
export const incidentsQuerySchema = z.strictObject({
  status: status.optional().describe('The current status'),
  open: flagQuery.describe('true: only unresolved incidents'),
  severity: described(severity.optional(), 'How bad it is: minor, major or critical', 'major'),
  automatic: flagQuery.describe('Whether the engine opened it'),
  monitor: monitorIdSchema.optional().describe('Only incidents that affect this monitor'),
  ...pageQuery,
});

/** An update of an incident as the API returns it. */
export const incidentUpdateSchema = z
  .strictObject({
    id: z.string().regex(/^upd_/).describe('The ID of the update'),
    status: z.enum(INCIDENT_STATUSES).describe('The status set by this update'),
    message: described(z.string(), 'What people should know', 'We found the cause and are working on a fix.'),
    translations: messageTranslationsSchema,
    author: described(
      z.string().nullable(),
      "The author's name at the time; null for updates by the service",
      null,
    ),
    createdAt: createdAtSchema,
  })
  .meta({ id: 'IncidentUpdate' });

/** An update that is not published yet, as the API returns it. */
export const scheduledUpdateSchema = z
  .strictObject({
    id: z.string().regex(/^upd_/).describe('The ID'),
    status: z.enum(INCIDENT_STATUSES).nullable().describe('The status that it sets; null: no change'),
    resolveAfterMinutes: described(z.int().nullable(), SET_QUIET_TIME, 30),
    message: described(z.string(), 'What people should know', 'We found the cause and are working on a fix.'),
    translations: messageTranslationsSchema,
    author: described(z.string(), "The author's name at the time", 'alice@example.com'),
    publishAt: instantSchema.describe('When it is published'),
    droppedAt: described(
      instantSchema.nullable(),
      'When it was not published because the incident was resolved; null: it is pending',
      null,
    ),
    createdAt: createdAtSchema,
  })
  .meta({ id: 'ScheduledUpdate' });

/** The body of PUT /incidents/:id/updates/:updateId. */
export const scheduledUpdateChangesSchema = changesOf(
  {
    message: described(
      updateMessageSchema,
      'What people should know',
      'We found the cause and are working on a fix.',
    ),
    translations: messageTranslationsSchema,
    status: status.nullable().describe('The status that it sets; null: no change'),
    resolveAfterMinutes: described(
      quietMinutes.min(NO_QUIET_TIME, `must be at least ${NO_QUIET_TIME}`).nullable(),
      SET_QUIET_TIME,
      30,
    ),
    publishAt: givenInstantSchema.describe(PUBLISH_AT),
  },
  scheduledUpdateSchema,
  { translations: {} },
);

/** An incident as the API returns it. */
export const incidentSchema = z
  .strictObject({
    id: described(z.string().regex(/^inc_/), 'The ID of the incident', 'inc_01kxk1n4d8f0y5s2m7v6p1h3ac'),
    title: described(z.string(), 'The title, shown publicly', 'Checkout is slow'),
    description: described(
      z.string(),
      'More for people; null or empty for none',
      'Orders may take longer than usual.',
    ),
    status: z.enum(INCIDENT_STATUSES).describe('The current status'),
    severity: described(z.enum(INCIDENT_SEVERITIES), 'How bad it is: minor, major or critical', 'major'),
    affectedMonitors: described(z.array(z.string()), 'The IDs of the affected monitors', [
      'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
    ]),
    affectedComponents: described(
      z.array(z.string()),
      'The IDs of the affected components: rows of status pages without a monitor',
      ['cmp_01kxk1j7c2e5x8q3n6w4r9t0zb'],
    ),
    impacts: impactsSchema.meta({ example: { mon_01kxk1j7c2e5x8q3n6w4r9t0zb: 'critical' } }),
    translations: incidentTranslationsSchema,
    automatic: described(z.boolean(), "Whether a monitor's status opened it", false),
    startedAt: instantSchema.describe(
      'When it started; for automatic incidents the first check of the run that opened it',
    ),
    version: versionSchema,
    createdAt: createdAtSchema,
    updatedAt: updatedAtSchema,
    resolvedAt: described(
      instantSchema.nullable(),
      'When it ended; for automatic incidents the first check of the run that resolved it. `duration` in events is the time from startedAt to resolvedAt',
      null,
    ),
    acknowledgedAt: described(
      instantSchema.nullable(),
      'When somebody acknowledged it, that is, began to work on it; null: nobody has',
      null,
    ),
    acknowledgedBy: described(
      z.string().nullable(),
      'The member or API key that acknowledged it, by their name at the time; null: nobody has',
      null,
    ),
    postmortem: described(
      z.string().nullable(),
      'What happened and what you learned, in Markdown; null for none',
      null,
    ),
    postmortemPublished: described(z.boolean(), 'Whether status pages show the postmortem', false),
    publishedOn: described(
      z.array(z.string().regex(/^sp_/)),
      'The status pages on which it was published, if it is automatic',
      [],
    ),
    resolveAfterMinutes: described(
      z.int().nullable(),
      'Minutes after which it is resolved while it is monitoring and all affected monitors are operational; null: people resolve it',
      30,
    ),
    updates: z.array(incidentUpdateSchema).describe('The updates, newest first'),
    scheduledUpdates: z
      .array(scheduledUpdateSchema)
      .describe('Updates that are published later, the next one first, and those that were dropped'),
  })
  .meta({ id: 'Incident' });

/** The body of PUT /incidents/:id; `message` is the text of the update. */
export const updateIncidentSchema = changesOf(
  {
    ...incidentFields,
    startedAt,
    ...postmortemFields,
    publishedOn: publishedOn.meta({ example: [] }),
    message: described(
      updateMessageSchema,
      'What people should know',
      'We found the cause and are working on a fix.',
    ),
  },
  incidentSchema,
  DEFAULTS,
);

export type Incident = z.output<typeof incidentSchema>;
export type ScheduledUpdate = z.output<typeof scheduledUpdateSchema>;
export type ScheduledUpdateChanges = z.output<typeof scheduledUpdateChangesSchema>;
export type CreateIncidentUpdate = z.output<typeof createIncidentUpdateSchema>;
export type CreateIncident = z.output<typeof createIncidentSchema>;
export type IncidentChanges = z.output<typeof updateIncidentSchema>;
export type IncidentsQuery = z.output<typeof incidentsQuerySchema>;
