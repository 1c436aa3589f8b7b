import { z } from 'zod';
import { isTimeZone } from '@/lib/core/time/zoned-time';
import { described } from '@/lib/schemas/described';
import { lenient } from '@/lib/schemas/query';
import { instantSchema, monitorIdSchema, oneOf, text } from '@/lib/schemas/text';

const MONTH = 'must be a month such as 2026-10';
const DATE = 'must be a date such as 2026-10-31';
const TARGET = 'must be a percentage from 50 to 100 with at most three decimals, such as 99.95';

/** The uptime that a report compares with unless another is given, in percent. */
export const DEFAULT_TARGET = 99.9;

const monthText = z
  .string(MONTH)
  .max(7, MONTH)
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, MONTH);
const dateText = z
  .string(DATE)
  .max(10, DATE)
  .refine((date) => z.iso.date().safeParse(date).success && date.startsWith('20'), DATE);

/** What a report covers: a time, in days of a time zone, and monitors. */
export const reportQuerySchema = z.strictObject({
  month: described(
    monthText.optional(),
    'A calendar month. Without it and `from`, the last one that has ended',
    '2027-02',
  ),
  from: described(dateText.optional(), 'The first day, instead of `month`', '2027-02-01'),
  to: described(dateText.optional(), 'The last day; yesterday, if omitted', '2027-02-28'),
  timeZone: z
    .string('must be a string')
    .max(100, 'must be at most 100 characters')
    .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
    .default('UTC')
    .describe('Where days begin: an IANA time zone name'),
  tag: described(text(1, 50).optional(), 'Only monitors with this tag', 'shop'),
  monitor: monitorIdSchema.optional().describe('Only this monitor'),
  statusPage: described(
    z.string('must be the ID of a status page').max(100, 'must be the ID of a status page').optional(),
    'Only monitors on this status page',
    'sp_01kxk1q5e8g1j4n7r0u3x6a9dc',
  ),
  target: described(
    z
      .string(TARGET)
      .max(7, TARGET)
      .regex(/^\d{2,3}(\.\d{1,3})?$/, TARGET)
      .transform(Number)
      .refine((target) => target >= 50 && target <= 100, TARGET)
      .default(DEFAULT_TARGET),
    'The uptime to compare with, in percent',
    '99.95',
  ),
});

/** The tables of a report. */
export const REPORT_TABLES = ['monitors', 'outages'] as const;

/** The query of GET /reports/uptime/export. */
export const reportExportSchema = reportQuerySchema.extend({
  table: oneOf(REPORT_TABLES).default('monitors').describe('One line per monitor, or per outage'),
});

/** The value of `month` on the screen for days, instead of a month. */
export const CUSTOM_DAYS = 'days';

/** The query of the report screen. Invalid values are ignored. */
export const reportPageSchema = z.object({
  month: lenient(z.union([monthText, z.literal(CUSTOM_DAYS)])),
  from: lenient(dateText),
  to: lenient(dateText),
  timeZone: lenient(reportQuerySchema.shape.timeZone.unwrap()),
  tag: lenient(text(1, 50)),
  statusPage: lenient(z.string().max(100)),
  target: lenient(reportQuerySchema.shape.target.unwrap()),
});
export type ReportPage = z.output<typeof reportPageSchema>;

/** A month of a thousand monitors, or a year of a hundred: some seconds of work for the database. */
export const MAX_MONITOR_DAYS = 40_000;

/** More than some languages can hold as an integer. */
const milliseconds = z.number().min(0);
const count = z.int().min(0);
const percentage = z.number().min(0).max(100).nullable();

/** What a report counts, of one monitor or of all. */
const uptimeShape = {
  uptimePercentage: described(
    percentage,
    'Time not down, truncated to three decimals; null if nothing is known',
    99.98,
  ),
  knownMs: described(milliseconds, 'Time that counts: operational, degraded or down', 2_419_200_000),
  downMs: described(milliseconds, 'Downtime, in milliseconds', 1_200_000),
  degradedMs: described(milliseconds, 'Time degraded, in milliseconds', 3_600_000),
  maintenanceMs: described(milliseconds, 'Time in maintenance windows, which does not count', 7_200_000),
  outages: described(count, 'Number of outages', 2),
  longestOutageMs: described(
    milliseconds.nullable(),
    'Of the outages, within the report; null without any',
    900_000,
  ),
  budgetMs: described(milliseconds, 'How long it may be down without missing the target', 1_209_600),
  budgetLeftMs: described(z.number(), 'What is left of that; negative if the target is missed', 9600),
};

const measured = z
  .strictObject(uptimeShape)
  .nullable()
  .describe('The same without corrections, as it was measured; null if no correction changes it');

const latency = z.int().min(0).nullable();

export const reportLineSchema = z
  .strictObject({
    monitorId: described(z.string(), 'The ID of the monitor', 'mon_01kxk1j7c2e5x8q3n6w4r9t0zb'),
    name: described(z.string(), 'The name of the monitor', 'Checkout API'),
    tags: described(z.array(z.string()), 'Labels to filter by', ['shop', 'production']),
    ...uptimeShape,
    measured,
    checks: described(count, 'Number of checks, without those of unknown outcome', 1440),
    failures: described(count, 'Number of failed checks', 2),
    responseTime: z
      .strictObject({
        p50: described(latency, 'The median response time in milliseconds', 180),
        p95: described(latency, 'The 95th percentile of response times in milliseconds', 310),
        p99: described(latency, 'The 99th percentile of response times in milliseconds', 520),
      })
      .describe(
        'Of successful checks, in milliseconds, accurate to 4.5% or 0.5 ms, over the hours (UTC) that begin within the report; null without any',
      ),
  })
  .meta({ id: 'ReportLine' });

export const reportGroupSchema = z
  .strictObject({
    name: described(z.string(), 'The tag or the name of the section', 'shop'),
    monitors: described(count, 'Number of monitors', 4),
    ...uptimeShape,
    measured,
  })
  .meta({ id: 'ReportGroup' });

export const reportOutageSchema = z
  .strictObject({
    monitorId: described(z.string(), 'The ID of the monitor', 'mon_01kxk1j7c2e5x8q3n6w4r9t0zb'),
    startedAt: instantSchema.describe('It may have begun before the report'),
    endedAt: described(
      instantSchema.nullable(),
      'It may have ended after the report; null if it continues',
      '2027-03-01T10:14:00.000Z',
    ),
    downMs: described(milliseconds, 'Within the report', 1_200_000),
    cause: described(
      z.string().nullable(),
      'What the first failing region saw; null if unknown',
      'no response within 30s',
    ),
    incidentId: described(
      z.string().nullable(),
      'The incident of the outage; null without one',
      'inc_01kxk1n4d8f0y5s2m7v6p1h3ac',
    ),
  })
  .meta({ id: 'ReportOutage' });

/** The response of GET /reports/uptime. */
export const reportSchema = z
  .strictObject({
    from: described(instantSchema, 'The start of the first day', '2027-02-01T00:00:00.000Z'),
    to: described(
      instantSchema,
      'The end of the last day, even if it lies ahead',
      '2027-03-01T00:00:00.000Z',
    ),
    until: described(instantSchema, 'What is counted ends here: at `to`, or now', '2027-03-01T00:00:00.000Z'),
    timeZone: described(z.string(), 'Where days begin: an IANA time zone name', 'Europe/Berlin'),
    target: described(z.number(), 'The uptime to compare with, in percent', 99.95),
    total: z
      .strictObject({ monitors: described(count, 'Number of monitors', 12), ...uptimeShape, measured })
      .describe('The sum of all monitors'),
    monitors: z.array(reportLineSchema).describe('By name'),
    tags: z
      .array(reportGroupSchema)
      .describe('The sum of the monitors with each tag, by tag; a monitor can be in several'),
    sections: z
      .array(reportGroupSchema)
      .describe(
        'The sum of the monitors in each section of the status page, in its order; empty without `statusPage`',
      ),
    outages: z.array(reportOutageSchema).describe('Newest first; at most 1,000'),
  })
  .meta({ id: 'UptimeReport' });

export type ReportQuery = z.output<typeof reportQuerySchema>;
export type ReportLine = z.output<typeof reportLineSchema>;
export type ReportGroup = z.output<typeof reportGroupSchema>;
export type ReportOutage = z.output<typeof reportOutageSchema>;
export type Report = z.output<typeof reportSchema>;

export type ReportExport = z.output<typeof reportExportSchema>;
