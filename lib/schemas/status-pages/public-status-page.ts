import { z } from 'zod';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { described } from '@/lib/schemas/described';
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
  slug: described(slugText, 'The last part of the public URL', 'acme'),
  token: z
    .string()
    .max(100)
    .optional()
    .describe('Opens a private page; can be sent as `Authorization: Bearer <TOKEN>` instead'),
});

const publicMonitorSchema = z
  .strictObject({
    id: described(z.string().regex(/^mon_/), 'The ID of the monitor', 'mon_01kxk1j7c2e5x8q3n6w4r9t0zb'),
    name: described(z.string(), 'The name, for people', 'Checkout API'),
    type: described(
      z.enum(MONITOR_TYPES),
      'What is checked: an HTTP endpoint, a TCP port, a host (ping) or a DNS record',
      'http',
    ),
    status: z.enum(MONITOR_STATUSES).describe('The current status'),
    enabled: described(z.boolean(), 'Whether it is active. A paused monitor keeps its last status', true),
    uptimePercentage: described(
      z.number().min(0).max(100),
      'Over the trailing 30 days, with corrections',
      99.98,
    ),
    measuredUptimePercentage: measuredUptimeSchema.meta({ example: null }),
    lastCheckedAt: instantSchema
      .nullable()
      .describe('When the last check started; null before the first one'),
    lastResponseTime: described(z.int().nullable(), 'Milliseconds of the last check', 182),
    noDataSince: described(
      instantSchema.nullable(),
      'Set while no region delivers results; `status` keeps its last value',
      null,
    ),
    inMaintenance: described(z.boolean(), 'Checks continue, but their results are not counted', false),
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
    affectedMonitors: described(z.array(z.string()), 'Only monitors on the page', [
      'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
    ]),
    affectedComponents: described(z.array(z.string()), 'Only components on the page', [
      'cmp_01kxk1j7c2e5x8q3n6w4r9t0zb',
    ]),
    impacts: described(
      impactsSchema,
      'The severity for single rows of the page; for the others, it is `severity`',
      { mon_01kxk1j7c2e5x8q3n6w4r9t0zb: 'critical' },
    ),
    updates: z.array(incidentUpdateSchema.omit({ author: true })).meta({ description: 'Newest first' }),
  })
  .meta({ id: 'PublicIncident' });

const publicMaintenanceSchema = z
  .strictObject({
    id: described(
      z.string().regex(/^mnt_/),
      'The ID of the maintenance window',
      'mnt_01kxk1r9v2x5a8d1g4k7n0q3sb',
    ),
    title: described(z.string(), 'The title, shown publicly', 'Checkout is slow'),
    message: described(z.string(), 'What visitors should know; null for none', 'We upgrade the database.'),
    translations: titledTranslationsSchema,
    status: z.enum(['scheduled', 'active']).describe('The current status'),
    monitors: described(z.array(z.string()), 'Only monitors on the page', ['mon_01kxk1j7c2e5x8q3n6w4r9t0zb']),
    startsAt: described(instantSchema, 'Start of the current or next occurrence', '2027-03-01T22:00:00.000Z'),
    endsAt: described(instantSchema, 'When it ends', '2027-03-01T23:00:00.000Z'),
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
        indicator: indicatorSchema.meta({ example: 'major' }),
        items: z
          .array(
            z
              .strictObject({
                ...shownSectionsSchema.element.shape.items.element.shape,
                name: described(z.string(), 'The name on the page', 'Checkout'),
                indicator: indicatorSchema.meta({ example: 'major' }),
              })
              .meta({ id: 'PublicItem' }),
          )
          .describe('The rows, in display order'),
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
    indicator: described(
      z.enum(INDICATORS),
      'The worst of the monitors and of the open incidents about them, which `status` does not include: `minor` is degraded performance, `major` a partial outage, `critical` a major outage. An incident counts until it is resolved',
      'major',
    ),
    headline: described(
      z.string(),
      'What the page shows in one English sentence: the indicator, whom it affects, and several incidents',
      'Partial outage: Checkout API',
    ),
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
