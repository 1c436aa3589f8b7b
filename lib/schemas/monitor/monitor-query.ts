import { z } from 'zod';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { MONITOR_STATUSES } from '@/lib/schemas/monitor';
import { pageQuery } from '@/lib/schemas/query';
import { text } from '@/lib/schemas/text';

const SORTS = ['name', '-name', 'createdAt', '-createdAt', 'status', '-status'] as const;

/** The query of GET /monitors. Without `limit` all monitors are returned. */
export const listMonitorsQuery = z.strictObject({
  status: z.enum(MONITOR_STATUSES, `must be one of ${MONITOR_STATUSES.join(', ')}`).optional(),
  type: z.enum(MONITOR_TYPES, `must be one of ${MONITOR_TYPES.join(', ')}`).optional(),
  enabled: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((word) => word === 'true')
    .optional(),
  tag: text(1, 50).optional(),
  ref: text(1, 200).optional(),
  q: text(1, 200).optional().meta({ description: 'Part of the name or URL, case-insensitive' }),
  sort: z
    .enum(SORTS, `must be one of ${SORTS.join(', ')}`)
    .default('-createdAt')
    .meta({ description: '`-` for descending; `status` sorts down, degraded, pending, operational' }),
  limit: pageQuery.limit.unwrap().optional(),
  cursor: z.string().max(1000).optional(),
});

export type ListMonitorsQuery = z.output<typeof listMonitorsQuery>;
