import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import {
  changesOf,
  componentIdsSchema,
  createdAtSchema,
  creationOf,
  monitorIdsSchema,
  nameText,
  oneOf,
  text,
  updatedAtSchema,
  versionSchema,
} from '@/lib/schemas/text';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from './incident-statuses';
import { titledTranslationsSchema } from './translations';

/** The templates that an organization can have at a time. */
export const MAX_INCIDENT_TEMPLATES = 100;

const fields = {
  name: described(nameText(1, 100), 'What members choose it by; not public', 'Checkout API'),
  title: described(
    nameText(0, 200),
    'The title of the incident; empty: typed when it is opened',
    'Payments fail for some customers',
  ),
  severity: described(oneOf(INCIDENT_SEVERITIES), 'How bad it is: minor, major or critical', 'major'),
  status: oneOf(INCIDENT_STATUSES).describe('The current status'),
  message: described(
    text(0, 5000),
    'The message of the first update, or of an update that is posted',
    'We found the cause and are working on a fix.',
  ),
  translations: titledTranslationsSchema,
  affectedMonitors: described(monitorIdsSchema, 'The IDs of the affected monitors', [
    'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
  ]),
  affectedComponents: described(
    componentIdsSchema,
    'The IDs of the affected components: rows of status pages without a monitor',
    ['cmp_01kxk1j7c2e5x8q3n6w4r9t0zb'],
  ),
};

const DEFAULTS = {
  title: '',
  severity: 'major',
  status: 'investigating',
  message: '',
  translations: {},
  affectedMonitors: [],
  affectedComponents: [],
} as const;

/** The body of POST /incident-templates. */
export const createIncidentTemplateSchema = z.strictObject(creationOf(fields, DEFAULTS));

/** A template as the API returns it. */
export const incidentTemplateSchema = z
  .strictObject({
    id: described(z.string().regex(/^itp_/), 'The ID of the template', 'itp_01kxk1r9v2x5a8d1g4k7n0q3sb'),
    name: described(z.string(), 'What members choose it by; not public', 'Checkout API'),
    title: described(
      z.string(),
      'The title of the incident; empty: typed when it is opened',
      'Payments fail for some customers',
    ),
    severity: described(z.enum(INCIDENT_SEVERITIES), 'How bad it is: minor, major or critical', 'major'),
    status: z.enum(INCIDENT_STATUSES).describe('The current status'),
    message: described(
      z.string(),
      'The message of the first update, or of an update that is posted',
      'We found the cause and are working on a fix.',
    ),
    translations: titledTranslationsSchema,
    affectedMonitors: described(z.array(z.string()), 'Monitors deleted since then included', [
      'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
    ]),
    affectedComponents: described(z.array(z.string()), 'Components removed since then included', [
      'cmp_01kxk1j7c2e5x8q3n6w4r9t0zb',
    ]),
    version: versionSchema,
    createdAt: createdAtSchema,
    updatedAt: updatedAtSchema,
  })
  .meta({ id: 'IncidentTemplate' });

/** The body of PUT /incident-templates/:id. */
export const updateIncidentTemplateSchema = changesOf(fields, incidentTemplateSchema, DEFAULTS);

export type IncidentTemplate = z.output<typeof incidentTemplateSchema>;
export type CreateIncidentTemplate = z.output<typeof createIncidentTemplateSchema>;
export type IncidentTemplateChanges = z.output<typeof updateIncidentTemplateSchema>;
