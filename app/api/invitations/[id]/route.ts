import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { revokeInvitation } from '@/lib/members/revoke-invitation';
import { messageSchema } from '@/lib/schemas/monitor';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: operation({
    summary: 'Revoke an invitation',
    scope: 'write',
    output: messageSchema,
    run: ({ ctx, params }) => revokeInvitation(ctx, params.id ?? ''),
  }),
});
