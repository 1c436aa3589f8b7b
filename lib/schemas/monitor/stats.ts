import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { regionIdSchema, regionQuery } from '@/lib/schemas/regions/region-id';
import { instantSchema, oneOf } from '@/lib/schemas/text';

/** The periods that uptime is reported for. */
export const UPTIME_WINDOWS = ['24h', '7d', '30d', '90d'] as const;
export type UptimeWindow = (typeof UPTIME_WINDOWS)[number];

/** The periods that charts cover. */
export const CHART_WINDOWS = ['1h', '6h', ...UPTIME_WINDOWS] as const;
export type ChartWindow = (typeof CHART_WINDOWS)[number];

/** The query of GET /monitors/:id/stats. */
export const statsQuerySchema = z.strictObject({
  window: oneOf(CHART_WINDOWS).default('24h').describe('The period'),
  region: regionQuery.optional().describe('The region of the check'),
});

const percentage = z.number().min(0).max(100).nullable();
/** The uptime of a monitor without corrections. */
export const measuredUptimeSchema = z
  .number()
  .min(0)
  .max(100)
  .nullable()
  .describe('The uptime that was measured; null if there are no corrections in this time');
const milliseconds = z.int().min(0).nullable();
const count = z.int().min(0);

const latencySchema = z
  .strictObject({
    p50: described(milliseconds, 'The median response time in milliseconds', 180),
    p95: described(milliseconds, 'The 95th percentile of response times in milliseconds', 310),
    p99: described(milliseconds, 'The 99th percentile of response times in milliseconds', 520),
  })
  .describe('Response times of successful checks in milliseconds, accurate to 4.5% or 0.5 ms');

const uptimesSchema = z
  .strictObject({
    '24h': described(percentage, 'Uptime of the last 24 hours in percent', 100),
    '7d': described(percentage, 'Uptime of the last 7 days in percent', 99.99),
    '30d': described(percentage, 'Uptime of the last 30 days in percent', 99.98),
    '90d': described(percentage, 'Uptime of the last 90 days in percent', 99.95),
  })
  .describe('Over the period ending now, truncated to two decimals; null if unknown');

const dayShape = {
  status: z
    .enum(['operational', 'degraded', 'down'])
    .nullable()
    .describe('The worst status of the day; null if unknown'),
  uptimePercentage: described(
    percentage,
    'Uptime of the last 30 days in percent, truncated to two decimals',
    99.98,
  ),
  downtime: described(z.int().min(0), 'Milliseconds', 720_000),
};

/** One UTC day of a monitor as a status page shows it. */
export const dayBarSchema = z
  .strictObject({
    date: described(z.iso.date(), 'A day in UTC', '2027-03-01'),
    ...dayShape,
    measured: z
      .strictObject(dayShape)
      .optional()
      .describe('What was measured, of a day that a correction changes; other days do not have it'),
  })
  .meta({ id: 'DayBar' });

const bucketSchema = latencySchema
  .extend({
    from: instantSchema.describe('The start of the period'),
    to: described(instantSchema, 'The end of the period', '2027-03-02T10:00:00.000Z'),
    checks: described(count, 'Number of checks', 1440),
    failures: described(count, 'Number of failed checks', 2),
  })
  .meta({
    id: 'StatsBucket',
    description: 'One interval of a chart; latencies are null without a successful check',
  });

/** The response of GET /monitors/:id/stats. `region` narrows checks, failures, latency and buckets; uptime is the monitor's. */
export const statsSchema = z
  .strictObject({
    window: described(z.enum(CHART_WINDOWS), 'The period', '24h'),
    region: regionIdSchema.nullable().describe('The region of the check'),
    from: instantSchema.describe('Start of the first bucket'),
    to: described(instantSchema, 'The end of the period', '2027-03-02T10:00:00.000Z'),
    uptimePercentage: described(percentage, 'Over the window; null if unknown', 99.98),
    checks: described(count, 'Number of checks, without those of unknown outcome', 1440),
    failures: described(count, 'Number of failed checks', 2),
    latency: latencySchema,
    uptime: uptimesSchema,
    measured: z
      .strictObject({
        uptimePercentage: described(
          percentage,
          'Uptime of the last 30 days in percent, truncated to two decimals',
          99.98,
        ),
        uptime: uptimesSchema,
      })
      .nullable()
      .describe('The uptime without corrections; null if there are none in the last 90 days'),
    buckets: z.array(bucketSchema).describe('The period in equal intervals, oldest first'),
    days: z.array(dayBarSchema).describe('The last 90 UTC days, oldest first'),
  })
  .meta({ id: 'MonitorStats' });

export type DayBar = z.output<typeof dayBarSchema>;
export type Uptimes = z.output<typeof uptimesSchema>;
export type Latency = z.output<typeof latencySchema>;
export type StatsQuery = z.output<typeof statsQuerySchema>;
export type MonitorStats = z.output<typeof statsSchema>;
