import { inviteMember, listInvitations } from '@/lib/domain/members/invitations';
import { createInvitationSchema, invitationSchema, newInvitationSchema } from '@/lib/schemas/people';
import { searchAndPage, timedListQuery } from '@/lib/schemas/query';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
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
});
