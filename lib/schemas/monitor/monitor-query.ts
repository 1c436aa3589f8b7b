import { z } from 'zod';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { described } from '@/lib/schemas/described';
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
  status: oneOf(MONITOR_STATUSES).optional().describe('The current status'),
  type: described(
    oneOf(MONITOR_TYPES).optional(),
    'What is checked: an HTTP endpoint, a TCP port, a host (ping), a DNS record, the calls of a job (heartbeat), or the status of other monitors (group)',
    'http',
  ),
  enabled: flagQuery.describe('Whether it is active. A paused monitor keeps its last status'),
  tag: described(text(1, 50).optional(), 'The tag', 'shop'),
  ref: described(
    text(1, 200).optional(),
    'Your own ID, unique in the organization; null for none',
    'checkout-api',
  ),
  q: described(text(1, 200).optional(), 'Part of the name or URL, case-insensitive', 'shop'),
  sort: oneOf(SORTS)
    .default('-createdAt')
    .describe(
      '`-` for descending; `status` sorts down, degraded, pending, operational; `statusChangedAt` sorts null last',
    ),
  ...wholeListPaging,
});
export type ListMonitorsQuery = z.output<typeof listMonitorsQuery>;
