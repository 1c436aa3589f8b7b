import { z } from 'zod';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import { instantSchema } from '@/lib/schemas/text';
import { INDICATORS } from './public-status-page';

// The bodies of Statuspage's public API v2, as its clients read them: https://status.atlassian.com/api.

const page = z.strictObject({
  id: z.string(),
  name: z.string(),
  url: z.url(),
  time_zone: z.literal('Etc/UTC'),
  updated_at: instantSchema,
});

const status = z.strictObject({ indicator: z.enum(INDICATORS), description: z.string() });

export const COMPONENT_STATUSES = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'under_maintenance',
] as const;

const componentFields = {
  id: z.string(),
  name: z.string(),
  status: z.enum(COMPONENT_STATUSES),
  created_at: instantSchema,
  updated_at: instantSchema,
  position: z.int().min(1),
  description: z.string().nullable(),
  showcase: z.boolean(),
  start_date: z.iso.date().nullable(),
  page_id: z.string(),
  only_show_if_degraded: z.literal(false),
};

/** A component, or a group of components: a section of the page. */
const component = z.discriminatedUnion('group', [
  z.strictObject({ ...componentFields, group: z.literal(false), group_id: z.string().nullable() }),
  z.strictObject({
    ...componentFields,
    group: z.literal(true),
    group_id: z.null(),
    components: z.array(z.string()).describe('The IDs of the components of the group'),
  }),
]);

const MAINTENANCE_STATUSES = ['scheduled', 'in_progress', 'completed'] as const;

const update = <Status extends z.ZodType>(of: Status) =>
  z.strictObject({
    id: z.string(),
    status: of,
    body: z.string(),
    incident_id: z.string(),
    created_at: instantSchema,
    updated_at: instantSchema,
    display_at: instantSchema,
    affected_components: z.null(),
    deliver_notifications: z.boolean(),
    custom_tweet: z.null(),
    tweet_id: z.null(),
  });

/** What incidents and maintenance have in common: to Statuspage, both are incidents. */
const report = {
  id: z.string(),
  name: z.string(),
  created_at: instantSchema,
  updated_at: instantSchema,
  monitoring_at: instantSchema.nullable(),
  resolved_at: instantSchema.nullable(),
  shortlink: z.url(),
  started_at: instantSchema,
  page_id: z.string(),
  components: z.array(component),
};

const incident = z.strictObject({
  ...report,
  status: z.enum(INCIDENT_STATUSES),
  impact: z.enum(INCIDENT_SEVERITIES),
  incident_updates: z.array(update(z.enum(INCIDENT_STATUSES))),
});

const maintenance = z.strictObject({
  ...report,
  status: z.enum(MAINTENANCE_STATUSES),
  impact: z.literal('maintenance'),
  scheduled_for: instantSchema,
  scheduled_until: instantSchema,
  incident_updates: z.array(update(z.enum(MAINTENANCE_STATUSES))),
});

const components = z.array(component);
const incidents = z.array(incident);
const scheduled_maintenances = z.array(maintenance);

/** Every document, by its path below `/api/v2`. */
export const statuspageSchemas = {
  'summary.json': z.strictObject({ page, components, incidents, scheduled_maintenances, status }),
  'status.json': z.strictObject({ page, status }),
  'components.json': z.strictObject({ page, components }),
  'incidents.json': z.strictObject({ page, incidents }),
  'incidents/unresolved.json': z.strictObject({ page, incidents }),
  'scheduled-maintenances.json': z.strictObject({ page, scheduled_maintenances }),
  'scheduled-maintenances/upcoming.json': z.strictObject({ page, scheduled_maintenances }),
  'scheduled-maintenances/active.json': z.strictObject({ page, scheduled_maintenances }),
};

export type StatuspageDocument = keyof typeof statuspageSchemas;
export type StatuspageBody<Document extends StatuspageDocument> = z.output<
  (typeof statuspageSchemas)[Document]
>;
export type StatuspageSummary = StatuspageBody<'summary.json'>;
export type StatuspageComponent = StatuspageSummary['components'][number];
export type StatuspageIncident = StatuspageSummary['incidents'][number];
export type StatuspageMaintenance = StatuspageSummary['scheduled_maintenances'][number];
