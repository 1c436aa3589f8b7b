import { z } from 'zod';
import { isTimeZone } from '@/lib/core/time/zoned-time';
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
  month: monthText
    .optional()
    .describe('A calendar month. Without it and `from`, the last one that has ended'),
  from: dateText.optional().describe('The first day, instead of `month`'),
  to: dateText.optional().describe('The last day; yesterday, if omitted'),
  timeZone: z
    .string('must be a string')
    .max(100, 'must be at most 100 characters')
    .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
    .default('UTC')
    .describe('Where days begin: an IANA time zone name'),
  tag: text(1, 50).optional().describe('Only monitors with this tag'),
  monitor: monitorIdSchema.optional().describe('Only this monitor'),
  statusPage: z
    .string('must be the ID of a status page')
    .max(100, 'must be the ID of a status page')
    .optional()
    .describe('Only monitors on this status page'),
  target: z
    .string(TARGET)
    .max(7, TARGET)
    .regex(/^\d{2,3}(\.\d{1,3})?$/, TARGET)
    .transform(Number)
    .refine((target) => target >= 50 && target <= 100, TARGET)
    .default(DEFAULT_TARGET)
    .describe('The uptime to compare with, in percent'),
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
  uptimePercentage: percentage.describe(
    'Time not down, truncated to three decimals; null if nothing is known',
  ),
  knownMs: milliseconds.describe('Time that counts: operational, degraded or down'),
  downMs: milliseconds,
  degradedMs: milliseconds,
  maintenanceMs: milliseconds.describe('Time in maintenance windows, which does not count'),
  outages: count,
  longestOutageMs: milliseconds.nullable().describe('Of the outages, within the report; null without any'),
  budgetMs: milliseconds.describe('How long it may be down without missing the target'),
  budgetLeftMs: z.number().describe('What is left of that; negative if the target is missed'),
};

const measured = z
  .strictObject(uptimeShape)
  .nullable()
  .describe('The same without corrections, as it was measured; null if no correction changes it');

const latency = z.int().min(0).nullable();

export const reportLineSchema = z
  .strictObject({
    monitorId: z.string(),
    name: z.string(),
    tags: z.array(z.string()),
    ...uptimeShape,
    measured,
    checks: count.describe('Number of checks, without those of unknown outcome'),
    failures: count,
    responseTime: z
      .strictObject({ p50: latency, p95: latency, p99: latency })
      .describe(
        'Of successful checks, in milliseconds, accurate to 4.5% or 0.5 ms, over the hours (UTC) that begin within the report; null without any',
      ),
  })
  .meta({ id: 'ReportLine' });

export const reportGroupSchema = z
  .strictObject({ name: z.string(), monitors: count, ...uptimeShape, measured })
  .meta({ id: 'ReportGroup' });

export const reportOutageSchema = z
  .strictObject({
    monitorId: z.string(),
    startedAt: instantSchema.describe('It may have begun before the report'),
    endedAt: instantSchema.nullable().describe('It may have ended after the report; null if it continues'),
    downMs: milliseconds.describe('Within the report'),
    cause: z.string().nullable().describe('What the first failing region saw; null if unknown'),
    incidentId: z.string().nullable(),
  })
  .meta({ id: 'ReportOutage' });

/** The response of GET /reports/uptime. */
export const reportSchema = z
  .strictObject({
    from: instantSchema,
    to: instantSchema.describe('The end of the last day, even if it lies ahead'),
    until: instantSchema.describe('What is counted ends here: at `to`, or now'),
    timeZone: z.string(),
    target: z.number(),
    total: z.strictObject({ monitors: count, ...uptimeShape, measured }).describe('The sum of all monitors'),
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
