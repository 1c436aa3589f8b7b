import { z } from 'zod';
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
  window: oneOf(CHART_WINDOWS).default('24h'),
  region: regionQuery.optional(),
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
  .strictObject({ p50: milliseconds, p95: milliseconds, p99: milliseconds })
  .describe('Response times of successful checks in milliseconds, accurate to 4.5% or 0.5 ms');

const uptimesSchema = z
  .strictObject({ '24h': percentage, '7d': percentage, '30d': percentage, '90d': percentage })
  .describe('Over the period ending now, truncated to two decimals; null if unknown');

const dayShape = {
  status: z
    .enum(['operational', 'degraded', 'down'])
    .nullable()
    .describe('The worst status of the day; null if unknown'),
  uptimePercentage: percentage,
  downtime: z.int().min(0).describe('Milliseconds'),
};

/** One UTC day of a monitor as a status page shows it. */
export const dayBarSchema = z
  .strictObject({
    date: z.iso.date(),
    ...dayShape,
    measured: z
      .strictObject(dayShape)
      .optional()
      .describe('What was measured, of a day that a correction changes; other days do not have it'),
  })
  .meta({ id: 'DayBar' });

const bucketSchema = latencySchema
  .extend({ from: instantSchema, to: instantSchema, checks: count, failures: count })
  .meta({
    id: 'StatsBucket',
    description: 'One interval of a chart; latencies are null without a successful check',
  });

/** The response of GET /monitors/:id/stats. `region` narrows checks, failures, latency and buckets; uptime is the monitor's. */
export const statsSchema = z
  .strictObject({
    window: z.enum(CHART_WINDOWS),
    region: regionIdSchema.nullable(),
    from: instantSchema.describe('Start of the first bucket'),
    to: instantSchema,
    uptimePercentage: percentage.describe('Over the window; null if unknown'),
    checks: count.describe('Number of checks, without those of unknown outcome'),
    failures: count,
    latency: latencySchema,
    uptime: uptimesSchema,
    measured: z
      .strictObject({ uptimePercentage: percentage, uptime: uptimesSchema })
      .nullable()
      .describe('The uptime without corrections; null if there are none in the last 90 days'),
    buckets: z.array(bucketSchema),
    days: z.array(dayBarSchema),
  })
  .meta({ id: 'MonitorStats' });

export type DayBar = z.output<typeof dayBarSchema>;
export type Uptimes = z.output<typeof uptimesSchema>;
export type Latency = z.output<typeof latencySchema>;
export type StatsQuery = z.output<typeof statsQuerySchema>;
export type MonitorStats = z.output<typeof statsSchema>;
