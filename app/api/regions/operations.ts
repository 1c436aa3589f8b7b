import { z } from 'zod';
import { listRegionProbes } from '@/lib/domain/probes/list-probes';
import { createRegion, deleteRegion, updateRegion } from '@/lib/domain/regions/change-region';
import { getRegion, listRegions } from '@/lib/domain/regions/list-regions';
import {
  createRegionToken,
  listRegionTokens,
  revokeRegionToken,
  rotateRegionToken,
} from '@/lib/domain/regions/region-tokens';
import { getEnvironment } from '@/lib/env';
import { messageSchema } from '@/lib/schemas/monitor';
import { createRegionSchema, regionSchema, updateRegionSchema } from '@/lib/schemas/monitor/region';
import { probeSchema } from '@/lib/schemas/probes/probe';
import {
  createProbeTokenSchema,
  newProbeTokenSchema,
  probeTokenSchema,
} from '@/lib/schemas/probes/probe-token';
import { namedListQuery, searchAndPage } from '@/lib/schemas/query';
import { rotateTokenSchema } from '@/lib/schemas/token';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { resource } from '@/lib/web/http/route';

const options = () => ({ showsHosts: getEnvironment().SIGN_UP !== 'open' });

export const regions = resource({
  '/regions': {
    GET: operation({
      operationId: 'listRegions',
      summary: 'List the regions and who probes there',
      description:
        'First the built-in regions, then the own ones of the organization. A region is a label of workers and probes. Regions that share a machine are one location.',
      scope: 'read',
      output: z.array(regionSchema),
      run: ({ ctx }) => listRegions(ctx, options()),
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
  },
  '/regions/{id}': {
    GET: operation({
      operationId: 'getRegion',
      summary: 'Retrieve a region',
      scope: 'read',
      output: regionSchema,
      run: ({ ctx, params }) => getRegion(ctx, params.id ?? '', options()),
    }),
    PUT: operation({
      operationId: 'updateRegion',
      summary: 'Rename or move an own region',
      scope: 'write',
      body: updateRegionSchema,
      output: regionSchema,
      run: ({ ctx, params, body }) => updateRegion(ctx, params.id ?? '', body, options()),
    }),
    DELETE: operation({
      operationId: 'deleteRegion',
      summary: 'Delete an own region',
      description:
        'Not while monitors are checked from there. Its tokens are revoked; old results keep its ID.',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params }) => deleteRegion(ctx, params.id ?? ''),
    }),
  },
  '/regions/{id}/probes': {
    GET: operation({
      operationId: 'listRegionProbes',
      summary: 'List the probes of an own region',
      description:
        'A probe is listed once it has reported, and for a day after it went silent. One that was stopped is not.',
      scope: 'read',
      output: z.array(probeSchema),
      run: ({ ctx, params }) => listRegionProbes(ctx, params.id ?? ''),
    }),
  },
  '/regions/{id}/tokens': {
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
        'Probes with it run the checks of the region. It is returned only once. At most 20 per region.',
      scope: 'write',
      body: createProbeTokenSchema,
      output: newProbeTokenSchema,
      created: ({ id, region }) => `/regions/${region}/tokens/${id}`,
      run: ({ ctx, params, body }) => createRegionToken(ctx, params.id ?? '', body),
    }),
  },
  '/regions/{id}/tokens/{tokenId}': {
    DELETE: operation({
      operationId: 'revokeRegionToken',
      summary: 'Revoke a probe token',
      description: 'Its probes are refused at their next request, within three seconds.',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params: { id = '', tokenId = '' } }) => revokeRegionToken(ctx, { regionId: id, tokenId }),
    }),
  },
  '/regions/{id}/tokens/{tokenId}/rotate': {
    POST: operation({
      operationId: 'rotateRegionToken',
      summary: 'Rotate a probe token',
      description:
        'Creates a successor, which is returned only once. The old token keeps working during the overlap.',
      scope: 'write',
      bodyIsOptional: true,
      body: rotateTokenSchema,
      output: newProbeTokenSchema,
      created: ({ id, region }) => `/regions/${region}/tokens/${id}`,
      run: ({ ctx, params: { id = '', tokenId = '' }, body }) =>
        rotateRegionToken(ctx, { regionId: id, tokenId }, body),
    }),
  },
});
