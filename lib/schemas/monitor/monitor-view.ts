import { z } from 'zod';
import { parseCursor } from '@/lib/schemas/cursor';
import { lenient, placeOnScreen } from '@/lib/schemas/query';
import { regionQuery } from '@/lib/schemas/regions/region-id';
import { CHART_WINDOWS } from './stats';

/** The query of a monitor's page. Invalid values are ignored. */
export const monitorViewSchema = z.object({
  /** The period of the charts up to now; without one, it depends on the status. */
  window: lenient(z.enum(CHART_WINDOWS)),
  /** The part of the past that the charts are zoomed to; wins over a window if it is one. */
  from: lenient(z.iso.datetime().max(30)),
  to: lenient(z.iso.datetime().max(30)),
  /** Whether the chart shows one line per region or percentiles of all regions. */
  by: z.enum(['all', 'region']).catch('all'),
  /** Filters and position of the list of checks. */
  region: lenient(regionQuery),
  outcome: lenient(z.enum(['failed'])),
  after: placeOnScreen(parseCursor),
  /** The evidence to show instead of that of the last failure. */
  evidence: lenient(
    z
      .string()
      .max(44)
      .regex(/^evd_[0-9a-z]+$/),
  ),
  /** Position of the status history. */
  changes: placeOnScreen(parseCursor),
});
export type MonitorView = z.output<typeof monitorViewSchema>;
