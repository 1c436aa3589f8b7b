import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { boundedRecord, creationOf, givenInstantSchema, nameText, oneOf, refText } from '@/lib/schemas/text';
import { incidentFields, postmortemFields, updateMessageSchema } from './incident';
import { INCIDENT_STATUSES } from './incident-statuses';

/** Incidents of one import. */
export const MAX_IMPORTED_INCIDENTS = 200;
/** Imported incidents of an organization. */
export const MAX_IMPORTED_IN_ORGANIZATION = 5000;
/** Updates of an imported incident: as many as a list of incidents shows. */
export const MAX_IMPORTED_UPDATES = 100;
/** Rows that an imported incident affects. */
const MAX_ROWS = 1000;
/** JSON values of one import: enough for as many updates as fit into a request. */
export const MAX_IMPORT_VALUES = 60_000;
/** Refused incidents in a response; the rest is counted. */
export const MAX_REFUSED_INCIDENTS = 100;

const rowName = nameText(1, 100);

const importedUpdateSchema = z
  .strictObject({
    status: oneOf(INCIDENT_STATUSES).describe('The status that it set'),
    message: described(
      updateMessageSchema,
      'What people read',
      'We found the cause and are working on a fix.',
    ),
    createdAt: described(
      givenInstantSchema,
      'When it was published, not in the future',
      '2025-03-01T12:10:00.000Z',
    ),
  })
  .meta({ id: 'ImportedIncidentUpdate' });

const { title, description, severity } = incidentFields;

/** An incident of an import: what `importIncidents` validates each with. */
export const importedIncidentSchema = z
  .strictObject({
    ref: described(
      refText,
      'Its ID in the other product: an incident is imported once',
      'statuspage-p31tr5c2j8',
    ),
    title,
    severity,
    startedAt: described(givenInstantSchema, 'When it started', '2025-03-01T12:00:00.000Z'),
    resolvedAt: described(
      givenInstantSchema.nullable(),
      'When it ended, not in the future. Those that did not end are refused',
      '2025-03-01T13:00:00.000Z',
    ),
    rows: described(
      z
        .array(rowName, 'must be an array of names of rows')
        .min(1, 'must have at least one row')
        .max(MAX_ROWS, `must have at most ${MAX_ROWS} rows`),
      'The rows of the page that it affected: names in either case, or IDs of monitors and components',
      ['Checkout API'],
    ),
    updates: z
      .array(importedUpdateSchema, 'must be an array of updates')
      .min(1, 'must have at least one update')
      .max(MAX_IMPORTED_UPDATES, `must have at most ${MAX_IMPORTED_UPDATES} updates`)
      .describe(
        'Its updates, in any order. Of several at the same time, the first in the list is the oldest',
      ),
    ...creationOf(
      {
        description,
        impacts: boundedRecord(z.string().max(100), severity, MAX_ROWS).meta({
          description: 'The severity for single rows, by a name in `rows`; for the others, it is `severity`',
          examples: [{ 'Checkout API': 'critical' }],
        }),
        postmortem: postmortemFields.postmortem,
      },
      { description: '', impacts: {}, postmortem: null },
    ),
  })
  .meta({ id: 'ImportedIncident' });

const manyIncidents = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item, 'must be an array of incidents')
    .min(1, 'must have at least one incident')
    .max(MAX_IMPORTED_INCIDENTS, `must have at most ${MAX_IMPORTED_INCIDENTS} incidents`);

const source = described(
  nameText(1, 100),
  'Where they are from, as the author of the updates and for the audit log',
  'Statuspage',
);

/** The body of POST /status-pages/:slug/incidents/import; apart from its `ref`, each incident is validated by itself. */
export const importIncidentsSchema = z.strictObject({
  source,
  incidents: manyIncidents(z.looseObject({ ref: refText })),
});

/** The same with what an incident can contain. */
export const documentedIncidentImportSchema = z
  .strictObject({
    source,
    incidents: manyIncidents(importedIncidentSchema).describe('The incidents, 1–200, each with its `ref`'),
  })
  .meta({ id: 'ImportIncidents' });

const REFUSALS = ['invalid', 'not_resolved', 'invalid_time', 'unknown_row', 'too_many'] as const;

const refusedIncidentSchema = z.strictObject({
  index: described(
    z
      .int()
      .min(0)
      .max(MAX_IMPORTED_INCIDENTS - 1),
    'Its place in the list, counted from 0',
    3,
  ),
  ref: described(z.string(), 'Its `ref`', 'statuspage-p31tr5c2j8'),
  code: described(z.enum(REFUSALS), 'Why it was refused, for programs', 'unknown_row'),
  message: described(z.string(), 'Why it was refused', 'names “Login”, which is not a row of the page'),
});

const count = z.int().min(0).max(MAX_IMPORTED_INCIDENTS);

/** What became of an import. */
export const incidentImportSchema = z
  .strictObject({
    created: described(count, 'How many incidents are new', 2),
    existing: described(
      count,
      'How many were imported before, or are twice in the list. They stay as they are, with what people changed',
      0,
    ),
    invalid: described(count, 'How many were refused', 1),
    refused: z
      .array(refusedIncidentSchema)
      .max(MAX_REFUSED_INCIDENTS)
      .describe('The first 100 that were refused'),
  })
  .meta({ id: 'IncidentImport' });

/** An incident that was not imported, and why, as a predicate: "is not resolved". */
export type RefusedIncident = z.output<typeof refusedIncidentSchema>;
export type ImportedIncident = z.output<typeof importedIncidentSchema>;
export type ImportIncidents = z.output<typeof importIncidentsSchema>;
export type IncidentImport = z.output<typeof incidentImportSchema>;
