import { revokeInvitation } from '@/lib/domain/members/invitations';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: operation({
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => revokeInvitation(ctx, params.id ?? ''),
  }),
});
