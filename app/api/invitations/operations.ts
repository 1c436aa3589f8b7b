import { inviteMember, listInvitations, revokeInvitation } from '@/lib/domain/members/invitations';
import { messageSchema } from '@/lib/schemas/monitor';
import { createInvitationSchema, invitationSchema, newInvitationSchema } from '@/lib/schemas/people';
import { searchAndPage, timedListQuery } from '@/lib/schemas/query';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { resource } from '@/lib/web/http/route';

export const invitations = resource({
  '/invitations': {
    GET: listOperation({
      operationId: 'listInvitations',
      summary: 'List open invitations',
      description: 'Requires the scope `write`.',
      scope: 'write',
      query: timedListQuery,
      item: invitationSchema,
      run: async ({ ctx, query }) => searchAndPage(await listInvitations(ctx), query, ({ email }) => [email]),
    }),
    POST: operation({
      operationId: 'inviteMember',
      summary: 'Invite a member',
      description:
        'The response contains the invitation link, which is returned only once. It works once, for 7 days, only for this email address, and is also emailed if the service sends email. Inviting an address again replaces its invitation. Open invitations count toward the member limit of the plan.',
      scope: 'write',
      errors: ['PLAN_LIMIT_EXCEEDED'],
      body: createInvitationSchema,
      output: newInvitationSchema,
      created: ({ id }) => `/invitations/${id}`,
      run: ({ ctx, body, baseUrl }) => inviteMember(ctx, body, { baseUrl }),
    }),
  },
  '/invitations/{id}': {
    DELETE: operation({
      operationId: 'revokeInvitation',
      summary: 'Revoke an invitation',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params }) => revokeInvitation(ctx, params.id ?? ''),
    }),
  },
});
