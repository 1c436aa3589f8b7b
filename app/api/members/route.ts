import { listOperation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { listMembers } from '@/lib/members/read-members';
import { memberSchema } from '@/lib/schemas/member';
import { pageAnswers, timedListQuery } from '@/lib/schemas/whole-list';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    summary: 'List the members',
    scope: 'read',
    query: timedListQuery,
    item: memberSchema,
    run: async ({ ctx, query }) =>
      pageAnswers(await listMembers(ctx), query, ({ email, name }) => [email, name ?? '']),
  }),
});
