import { z } from 'zod';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { parseHttpUrl } from '@/lib/core/addresses';
import { domainSchema } from '@/lib/schemas/domain-name';
import { incidentSchema, incidentUpdateSchema } from '@/lib/schemas/incidents/incident';
import { MONITOR_STATUSES } from '@/lib/schemas/monitor';
import { dayBarSchema } from '@/lib/schemas/monitor/stats';
import {
  changesOf,
  creationOf,
  idText,
  instantSchema,
  resettable,
  text,
  versionSchema,
} from '@/lib/schemas/text';
import { MAX_PAGE_MONITORS, sectionsOf, shownSectionsSchema } from './sections';
import { THEME_DEFAULTS } from './theme-defaults';

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_SLUG = 63;

/** Slugs that conflict with current or possible future pages of the app. */
export const RESERVED_SLUGS: readonly string[] = `
  public new edit api app assets static favicon robots sitemap manifest
  setup sign-in sign-out sign-up invite invitation invitations reset-password forgot-password
  login logout auth account profile settings team members users admin
  monitors status status-pages incidents maintenance webhooks deliveries events
  api-keys keys organization organizations notifications billing plans audit
  dashboard overview docs openapi health live metrics feed badge inngest palette preview heartbeat reports
`
  .trim()
  .split(/\s+/);

const OBJECT = 'must be an object or null';
const HEX_COLOR = 'must be a hex color such as #22c55e';
const color = z
  .string('must be a string')
  .max(7, HEX_COLOR)
  .regex(/^#[0-9a-fA-F]{6}$/, HEX_COLOR)
  .toLowerCase();
const colors = { primaryColor: color, backgroundColor: color, textColor: color };
const shownColor = z.string().regex(/^#[0-9a-f]{6}$/);
const themeSchema = z.strictObject({
  primaryColor: shownColor,
  backgroundColor: shownColor,
  textColor: shownColor,
});

const slugText = z
  .string('must be a string')
  .max(MAX_SLUG, `must be at most ${MAX_SLUG} characters`)
  .regex(SLUG, 'must contain only lowercase letters, digits and single hyphens between them');

const monitorIds = z
  .array(idText('must be a string'), 'must be an array of monitor IDs')
  .max(MAX_PAGE_MONITORS, `must have at most ${MAX_PAGE_MONITORS} monitors`)
  .superRefine((ids, context) => {
    const seen = new Set<string>();
    ids.forEach((id, index) => {
      if (seen.has(id)) context.addIssue({ code: 'custom', path: [index], message: 'is a duplicate' });
      seen.add(id);
    });
  })
  .meta({
    description:
      'Monitor IDs in display order. Required without sections; with sections, those of their rows in the same order, or omitted',
  });

const fields = {
  name: text(1, 100).meta({ description: 'Display name' }),
  slug: slugText.refine((slug) => !RESERVED_SLUGS.includes(slug), 'is reserved'),
  description: text(0, 500).nullable(),
  monitors: monitorIds,
  sections: sectionsOf(idText('must be a monitor ID or null')),
  published: z.boolean('must be true or false').meta({ description: 'Whether the page is public' }),
  logoUrl: text(1, 2048)
    .refine((url) => parseHttpUrl(url)?.protocol === 'https:', 'must be an https URL')
    .nullable(),
  customDomain: domainSchema.nullable().meta({
    description:
      'Requires the Pro plan. The page is served there once its TXT record is found, see customDomainStatus',
  }),
  showResponseTimes: z
    .boolean('must be true or false')
    .meta({ description: 'Whether the page shows response times' }),
};

const DEFAULTS = {
  description: null,
  sections: [],
  published: false,
  theme: THEME_DEFAULTS,
  logoUrl: null,
  customDomain: null,
  showResponseTimes: false,
} as const;

/** The fields of a new page; a partial theme is filled with the defaults. */
export const newStatusPageFields = creationOf(
  { ...fields, theme: z.strictObject(creationOf(colors, THEME_DEFAULTS), OBJECT) },
  DEFAULTS,
);

/** The body of POST /status-pages as it is documented: that monitors can be omitted with sections has no simple schema. */
export const documentedStatusPageSchema = z.strictObject(newStatusPageFields);

/** The body of POST /status-pages. */
export const createStatusPageSchema = z
  .strictObject({ ...newStatusPageFields, monitors: monitorIds.optional() })
  .refine(({ monitors, sections }) => monitors !== undefined || (sections ?? []).length > 0, {
    path: ['monitors'],
    message: 'is required without sections',
    // Also reported together with what is wrong with other fields.
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  });

/** The fields that the public can see. */
const shown = {
  id: z.string().regex(/^sp_/),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  published: z.boolean(),
  theme: themeSchema,
  logoUrl: z.string().nullable(),
  customDomain: z.string().nullable(),
  showResponseTimes: z.boolean(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
};

export const DOMAIN_STATUSES = ['none', 'pending', 'verified', 'lost', 'taken'] as const;

const dnsRecord = (type: 'TXT' | 'CNAME') =>
  z.strictObject({ name: z.string(), type: z.literal(type), value: z.string() }).nullable();

const domainStatusSchema = z
  .strictObject({
    status: z.enum(DOMAIN_STATUSES).meta({
      description:
        'pending until the record is found; lost after it was missing for 3 days; taken while another page has verified the domain',
    }),
    record: dnsRecord('TXT').meta({ description: 'The record that proves that you own the domain' }),
    pointTo: dnsRecord('CNAME').meta({
      description: 'Where the domain must point (ALIAS and A records work too); null if unknown',
    }),
    checkedAt: instantSchema.nullable().meta({ description: 'When the record was last looked up' }),
    verifiedAt: instantSchema.nullable().meta({ description: 'When the domain was verified' }),
    error: z.string().nullable().meta({ description: 'The problem found by the last check' }),
  })
  .meta({ id: 'CustomDomainStatus' });

/** A status page as the API returns it to its organization. */
export const statusPageSchema = z
  .strictObject({
    ...shown,
    version: versionSchema,
    monitors: z.array(z.string().regex(/^mon_/)),
    sections: shownSectionsSchema,
    customDomainVerified: z.boolean(),
    customDomainRecord: z
      .strictObject({ name: z.string(), value: z.string() })
      .nullable()
      .meta({ description: 'The TXT record that proves that you own the domain; null without a domain' }),
    customDomainStatus: domainStatusSchema,
  })
  .meta({ id: 'StatusPage' });

/** The body of PUT /status-pages/:slug; a partial theme changes those colors. */
export const updateStatusPageSchema = changesOf(
  { ...fields, theme: z.strictObject(resettable(colors, THEME_DEFAULTS), OBJECT).partial() },
  statusPageSchema,
  DEFAULTS,
);

/** The query of GET /status-pages/public. */
export const publicStatusPageQuery = z.strictObject({ slug: slugText });

/** Whether a text is a valid slug. */
export function isSlug(value: string): boolean {
  return slugText.safeParse(value).success;
}

/** Whether a text has the form of a page's ID, which no slug has. */
export function isStatusPageId(value: string): boolean {
  return /^sp_[0-9a-z]{1,60}$/.test(value);
}

const publicMonitorSchema = z
  .strictObject({
    id: z.string().regex(/^mon_/),
    name: z.string(),
    type: z.enum(MONITOR_TYPES),
    status: z.enum(MONITOR_STATUSES),
    enabled: z.boolean(),
    uptimePercentage: z.number().min(0).max(100).meta({ description: 'Over the trailing 30 days' }),
    lastCheckedAt: instantSchema.nullable(),
    lastResponseTime: z.int().nullable().meta({ description: 'Milliseconds of the last check' }),
    noDataSince: instantSchema.nullable().meta({
      description: 'Set while no region delivers results; `status` keeps its last value',
    }),
    inMaintenance: z.boolean().meta({ description: 'Checks continue, but their results are not counted' }),
    days: z
      .array(dayBarSchema.pick({ date: true, status: true, uptimePercentage: true }))
      .meta({ description: '90 UTC days, oldest first' }),
  })
  .meta({ id: 'PublicMonitor' });

const publicIncidentSchema = incidentSchema
  .omit({
    acknowledgedAt: true,
    acknowledgedBy: true,
    version: true,
    postmortem: true,
    postmortemPublished: true,
  })
  .extend({
    affectedMonitors: z.array(z.string()).meta({ description: 'Only monitors on the page' }),
    affectedComponents: z.array(z.string()).meta({ description: 'Only components on the page' }),
    updates: z.array(incidentUpdateSchema.omit({ author: true })).meta({ description: 'Newest first' }),
  })
  .meta({ id: 'PublicIncident' });

const publicMaintenanceSchema = z
  .strictObject({
    id: z.string().regex(/^mnt_/),
    title: z.string(),
    message: z.string(),
    status: z.enum(['scheduled', 'active']),
    monitors: z.array(z.string()).meta({ description: 'Only monitors on the page' }),
    startsAt: instantSchema.meta({ description: 'Start of the current or next occurrence' }),
    endsAt: instantSchema,
  })
  .meta({ id: 'PublicMaintenance' });

/** How bad the present is, in the words of Statuspage. */
export const INDICATORS = ['none', 'minor', 'major', 'critical', 'maintenance'] as const;

const indicatorSchema = z
  .enum(INDICATORS)
  .describe('How bad it is: the worst of its monitors and of the open incidents about them');

/** The sections of a published page, each with the worst of its rows. */
const publicSectionsSchema = z
  .array(
    z
      .strictObject({
        ...shownSectionsSchema.element.shape,
        indicator: indicatorSchema,
        items: z.array(
          z
            .strictObject({
              ...shownSectionsSchema.element.shape.items.element.shape,
              name: z.string(),
              indicator: indicatorSchema,
            })
            .meta({ id: 'PublicItem' }),
        ),
      })
      .meta({ id: 'PublicSection' }),
  )
  .meta({ description: 'How the page groups its rows; empty for a list of monitors' });

/** A published page as the public sees it. */
export const publicStatusPageSchema = z
  .strictObject({
    ...shown,
    status: z.enum(MONITOR_STATUSES).meta({
      description:
        'The worst status of the monitors that are enabled and not in maintenance; `pending` instead of `operational` while any of them has no current data',
    }),
    indicator: z.enum(INDICATORS).meta({
      description:
        'The worst of the monitors and of the open incidents about them, which `status` does not include: `minor` is degraded performance, `major` a partial outage, `critical` a major outage. An incident counts until it is resolved',
    }),
    headline: z.string().meta({
      description:
        'What the page shows in one English sentence: the indicator, whom it affects, and several incidents',
    }),
    monitors: z.array(publicMonitorSchema).meta({ description: 'In display order, by their public names' }),
    sections: publicSectionsSchema,
    incidents: z
      .array(publicIncidentSchema)
      .meta({ description: 'Open incidents and those of the last 14 days, newest first' }),
    maintenance: z
      .array(publicMaintenanceSchema)
      .meta({ description: 'Active maintenance and maintenance starting within 14 days, earliest first' }),
  })
  .meta({ id: 'PublicStatusPage' });

export type DomainStatus = z.output<typeof domainStatusSchema>;
export type StatusPage = z.output<typeof statusPageSchema>;
export type CreateStatusPage = z.output<typeof createStatusPageSchema>;
export type StatusPageChanges = z.output<typeof updateStatusPageSchema>;
export type PublicStatusPage = z.output<typeof publicStatusPageSchema>;
export type PublicMonitor = z.output<typeof publicMonitorSchema>;
export type PublicMaintenance = z.output<typeof publicMaintenanceSchema>;
export type PublicIncident = z.output<typeof publicIncidentSchema>;
