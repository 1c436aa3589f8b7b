import { revokePageToken } from '@/lib/domain/status-pages/access/page-tokens';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: operation({
    operationId: 'revokePageToken',
    summary: 'Revoke a token of a status page',
    description: 'It ends at once.',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params: { slug = '', tokenId = '' } }) => revokePageToken(ctx, { slug, tokenId }),
  }),
});
