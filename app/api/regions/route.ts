import { z } from 'zod';
import { createRegion } from '@/lib/domain/regions/change-region';
import { listRegions } from '@/lib/domain/regions/list-regions';
import { getEnvironment } from '@/lib/env';
import { createRegionSchema, regionSchema } from '@/lib/schemas/monitor/region';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'listRegions',
    summary: 'List the regions and who probes there',
    description:
      'First the built-in regions, then the own ones of the organization. A region is a label of workers and probes. Regions that share a machine are one location.',
    scope: 'read',
    output: z.array(regionSchema),
    run: ({ ctx }) => listRegions(ctx, { showsHosts: getEnvironment().SIGN_UP !== 'open' }),
  }),
  POST: operation({
    operationId: 'createRegion',
    summary: 'Create an own region',
    description:
      'Monitors can be checked from there once a probe serves it. At most 50, on the enterprise plan.',
    scope: 'write',
    errors: ['PLAN_LIMIT_EXCEEDED'],
    body: createRegionSchema,
    output: regionSchema,
    created: ({ id }) => `/regions/${id}`,
    run: ({ ctx, body }) => createRegion(ctx, body),
  }),
});
