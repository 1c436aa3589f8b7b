import { z } from 'zod';
import { parseCursor, regionQuery } from './query';
import { UPTIME_WINDOWS } from './stats';

/** A place in one of the page's lists; null is its beginning. */
const place = z
  .string()
  .max(1000)
  .optional()
  .catch(undefined)
  .transform((text) => (text === undefined ? null : parseCursor(text)));

/** The address of a monitor's page; what nobody could have been led to is as if it were not there. */
export const monitorViewSchema = z.object({
  /** What the charts reach back over. */
  window: z.enum(UPTIME_WINDOWS).catch('24h'),
  /** Whether the chart has a line a region, or percentiles of all regions together. */
  by: z.enum(['all', 'region']).catch('all'),
  /** Of the checks listed: from where, how they ended, and after which. */
  region: regionQuery.optional().catch(undefined),
  outcome: z.enum(['failed']).optional().catch(undefined),
  after: place,
  /** After which change of state their list goes on. */
  changes: place,
});

export type MonitorView = z.output<typeof monitorViewSchema>;
