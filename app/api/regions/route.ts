import { z } from 'zod';
import { listRegions } from '@/lib/domain/monitors/regions/list-regions';
import { getEnvironment } from '@/lib/env';
import { regionSchema } from '@/lib/schemas/monitor/region';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'listRegions',
    summary: 'List the regions and who probes there',
    description: 'A region is a label of workers. Regions that share a machine are one location.',
    scope: 'read',
    output: z.array(regionSchema),
    run: ({ ctx }) => listRegions(ctx, { showsHosts: getEnvironment().SIGN_UP !== 'open' }),
  }),
});
