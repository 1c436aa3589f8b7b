import { inviteMember, listInvitations } from '@/lib/domain/members/invitations';
import { createInvitationSchema, invitationSchema, newInvitationSchema } from '@/lib/schemas/people';
import { searchAndPage, timedListQuery } from '@/lib/schemas/query';
import { listOperation, operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    summary: 'List the invitations that nobody has accepted',
    description: 'Only for keys with the scope `write`, and for admins and owners.',
    scope: 'write',
    query: timedListQuery,
    item: invitationSchema,
    run: async ({ ctx, query }) => searchAndPage(await listInvitations(ctx), query, ({ email }) => [email]),
  }),
  POST: operation({
    summary: 'Invite somebody; the answer shows the link, this once',
    description:
      'The link works once, for a week, for that address alone, and is mailed too where the service sends e-mail. A second invitation of an address takes the place of the first. Open invitations count as members of the plan.',
    scope: 'write',
    body: createInvitationSchema,
    output: newInvitationSchema,
    status: 201,
    run: ({ ctx, body, baseUrl }) => inviteMember(ctx, body, { baseUrl }),
  }),
});
