import { z } from 'zod';
import { listRegionProbes } from '@/lib/domain/probes/list-probes';
import { probeSchema } from '@/lib/schemas/probes/probe';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'listRegionProbes',
    summary: 'List the probes of an own region',
    description:
      'A probe is listed once it has reported, and for a day after it went silent. One that was stopped is not.',
    scope: 'read',
    output: z.array(probeSchema),
    run: ({ ctx, params }) => listRegionProbes(ctx, params.id ?? ''),
  }),
});
