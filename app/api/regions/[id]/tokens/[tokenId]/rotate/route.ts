import { rotateRegionToken } from '@/lib/domain/regions/region-tokens';
import { newProbeTokenSchema } from '@/lib/schemas/probes/probe-token';
import { rotateTokenSchema } from '@/lib/schemas/token';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
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
});
