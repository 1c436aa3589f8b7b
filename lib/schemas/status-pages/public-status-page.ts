import { z } from 'zod';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { impactsSchema, incidentSchema, incidentUpdateSchema } from '@/lib/schemas/incidents/incident';
import { titledTranslationsSchema } from '@/lib/schemas/incidents/translations';
import { MONITOR_STATUSES } from '@/lib/schemas/monitor';
import { dayBarSchema, measuredUptimeSchema } from '@/lib/schemas/monitor/stats';
import { instantSchema } from '@/lib/schemas/text';
import { shownSectionsSchema } from './sections';
import { slugText } from './slug';
import { shownPageFields } from './status-page';

/** The query of GET /status-pages/public. */
export const publicStatusPageQuery = z.strictObject({
  slug: slugText,
  token: z
    .string()
    .max(100)
    .optional()
    .describe('Opens a private page; can be sent as `Authorization: Bearer <TOKEN>` instead'),
});

const publicMonitorSchema = z
  .strictObject({
    id: z.string().regex(/^mon_/),
    name: z.string(),
    type: z.enum(MONITOR_TYPES),
    status: z.enum(MONITOR_STATUSES),
    enabled: z.boolean(),
    uptimePercentage: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: 'Over the trailing 30 days, with corrections' }),
    measuredUptimePercentage: measuredUptimeSchema,
    lastCheckedAt: instantSchema.nullable(),
    lastResponseTime: z.int().nullable().meta({ description: 'Milliseconds of the last check' }),
    noDataSince: instantSchema.nullable().meta({
      description: 'Set while no region delivers results; `status` keeps its last value',
    }),
    inMaintenance: z.boolean().meta({ description: 'Checks continue, but their results are not counted' }),
    days: z
      .array(dayBarSchema.pick({ date: true, status: true, uptimePercentage: true, measured: true }))
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
    publishedOn: true,
    resolveAfterMinutes: true,
    scheduledUpdates: true,
  })
  .extend({
    affectedMonitors: z.array(z.string()).meta({ description: 'Only monitors on the page' }),
    affectedComponents: z.array(z.string()).meta({ description: 'Only components on the page' }),
    impacts: impactsSchema.describe(
      'The severity for single rows of the page; for the others, it is `severity`',
    ),
    updates: z.array(incidentUpdateSchema.omit({ author: true })).meta({ description: 'Newest first' }),
  })
  .meta({ id: 'PublicIncident' });

const publicMaintenanceSchema = z
  .strictObject({
    id: z.string().regex(/^mnt_/),
    title: z.string(),
    message: z.string(),
    translations: titledTranslationsSchema,
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
    ...shownPageFields,
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
    incidents: z.array(publicIncidentSchema).meta({
      description:
        'Open incidents, and of those that were resolved in the last 14 days the newest 100, newest first',
    }),
    maintenance: z
      .array(publicMaintenanceSchema)
      .meta({ description: 'Active maintenance and maintenance starting within 14 days, earliest first' }),
  })
  .meta({ id: 'PublicStatusPage' });

export type PublicStatusPage = z.output<typeof publicStatusPageSchema>;
export type PublicMonitor = z.output<typeof publicMonitorSchema>;
export type PublicMaintenance = z.output<typeof publicMaintenanceSchema>;
export type PublicIncident = z.output<typeof publicIncidentSchema>;
