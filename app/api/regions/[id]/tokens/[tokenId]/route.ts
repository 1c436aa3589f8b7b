import { revokeRegionToken } from '@/lib/domain/regions/region-tokens';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: operation({
    operationId: 'revokeRegionToken',
    summary: 'Revoke a probe token',
    description: 'Its probes are refused at their next request, within three seconds.',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params: { id = '', tokenId = '' } }) => revokeRegionToken(ctx, { regionId: id, tokenId }),
  }),
});
