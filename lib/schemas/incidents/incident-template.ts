import { z } from 'zod';
import {
  changesOf,
  componentIdsSchema,
  creationOf,
  instantSchema,
  monitorIdsSchema,
  nameText,
  oneOf,
  text,
  versionSchema,
} from '@/lib/schemas/text';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from './incident-statuses';
import { titledTranslationsSchema } from './translations';

/** The templates that an organization can have at a time. */
export const MAX_INCIDENT_TEMPLATES = 100;

const fields = {
  name: nameText(1, 100).describe('What members choose it by; not public'),
  title: nameText(0, 200).describe('The title of the incident; empty: typed when it is opened'),
  severity: oneOf(INCIDENT_SEVERITIES),
  status: oneOf(INCIDENT_STATUSES),
  message: text(0, 5000).describe('The message of the first update, or of an update that is posted'),
  translations: titledTranslationsSchema,
  affectedMonitors: monitorIdsSchema,
  affectedComponents: componentIdsSchema,
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
    id: z.string().regex(/^itp_/),
    name: z.string().describe('What members choose it by; not public'),
    title: z.string(),
    severity: z.enum(INCIDENT_SEVERITIES),
    status: z.enum(INCIDENT_STATUSES),
    message: z.string().describe('The message of the first update, or of an update that is posted'),
    translations: titledTranslationsSchema,
    affectedMonitors: z.array(z.string()).describe('Monitors deleted since then included'),
    affectedComponents: z.array(z.string()).describe('Components removed since then included'),
    version: versionSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({ id: 'IncidentTemplate' });

/** The body of PUT /incident-templates/:id. */
export const updateIncidentTemplateSchema = changesOf(fields, incidentTemplateSchema, DEFAULTS);

export type IncidentTemplate = z.output<typeof incidentTemplateSchema>;
export type CreateIncidentTemplate = z.output<typeof createIncidentTemplateSchema>;
export type IncidentTemplateChanges = z.output<typeof updateIncidentTemplateSchema>;
