import { rotatePageToken } from '@/lib/domain/status-pages/access/page-tokens';
import { newPageTokenSchema } from '@/lib/schemas/status-pages/page-token';
import { rotateTokenSchema } from '@/lib/schemas/token';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'rotatePageToken',
    summary: 'Rotate a token of a status page',
    description:
      'Creates a successor, which is returned only once. The old token keeps working during the overlap.',
    scope: 'write',
    bodyIsOptional: true,
    body: rotateTokenSchema,
    output: newPageTokenSchema,
    status: 201,
    run: ({ ctx, params: { slug = '', tokenId = '' }, body }) =>
      rotatePageToken(ctx, { slug, tokenId }, body),
  }),
});
