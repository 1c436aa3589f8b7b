import { z } from 'zod';
import { parseCursor, regionQuery } from '@/lib/schemas/query';
import { UPTIME_WINDOWS } from './stats';

/** A position in one of the page's lists; null is the first page. */
const place = z
  .string()
  .max(1000)
  .optional()
  .catch(undefined)
  .transform((text) => (text === undefined ? null : parseCursor(text)));

/** The query of a monitor's page. Invalid values are ignored. */
export const monitorViewSchema = z.object({
  /** The period of the charts. */
  window: z.enum(UPTIME_WINDOWS).catch('24h'),
  /** Whether the chart shows one line per region or percentiles of all regions. */
  by: z.enum(['all', 'region']).catch('all'),
  /** Filters and position of the list of checks. */
  region: regionQuery.optional().catch(undefined),
  outcome: z.enum(['failed']).optional().catch(undefined),
  after: place,
  /** Position of the status history. */
  changes: place,
});

export type MonitorView = z.output<typeof monitorViewSchema>;
