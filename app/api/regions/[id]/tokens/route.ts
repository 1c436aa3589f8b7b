import { createRegionToken, listRegionTokens } from '@/lib/domain/regions/region-tokens';
import {
  createProbeTokenSchema,
  newProbeTokenSchema,
  probeTokenSchema,
} from '@/lib/schemas/probes/probe-token';
import { namedListQuery, searchAndPage } from '@/lib/schemas/query';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listRegionTokens',
    summary: 'List the probe tokens of an own region',
    scope: 'read',
    query: namedListQuery,
    item: probeTokenSchema,
    run: async ({ ctx, params, query }) =>
      searchAndPage(await listRegionTokens(ctx, params.id ?? ''), query, ({ name, hint }) => [name, hint]),
  }),
  POST: operation({
    operationId: 'createRegionToken',
    summary: 'Create a probe token for an own region',
    description:
      'Probes with it run the checks of the region: `pharos probe`. It is returned only once. At most 20 per region.',
    scope: 'write',
    body: createProbeTokenSchema,
    output: newProbeTokenSchema,
    created: ({ id, region }) => `/regions/${region}/tokens/${id}`,
    run: ({ ctx, params, body }) => createRegionToken(ctx, params.id ?? '', body),
  }),
});
