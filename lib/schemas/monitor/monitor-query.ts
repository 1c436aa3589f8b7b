import { z } from 'zod';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { MONITOR_STATUSES } from '@/lib/schemas/monitor';
import { flagQuery, wholeListPaging } from '@/lib/schemas/query';
import { oneOf, text } from '@/lib/schemas/text';

const SORTS = [
  'name',
  '-name',
  'createdAt',
  '-createdAt',
  'status',
  '-status',
  'statusChangedAt',
  '-statusChangedAt',
] as const;

/** The query of GET /monitors. Without `limit` all monitors are returned. */
export const listMonitorsQuery = z.strictObject({
  status: oneOf(MONITOR_STATUSES).optional(),
  type: oneOf(MONITOR_TYPES).optional(),
  enabled: flagQuery,
  tag: text(1, 50).optional(),
  ref: text(1, 200).optional(),
  q: text(1, 200).optional().describe('Part of the name or URL, case-insensitive'),
  sort: oneOf(SORTS)
    .default('-createdAt')
    .describe(
      '`-` for descending; `status` sorts down, degraded, pending, operational; `statusChangedAt` sorts null last',
    ),
  ...wholeListPaging,
});
export type ListMonitorsQuery = z.output<typeof listMonitorsQuery>;
