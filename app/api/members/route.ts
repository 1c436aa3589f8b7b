import { listMembers } from '@/lib/domain/members/read-members';
import { memberSchema } from '@/lib/schemas/people';
import { searchAndPage, timedListQuery } from '@/lib/schemas/query';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: listOperation({
    operationId: 'listMembers',
    summary: 'List members',
    scope: 'read',
    query: timedListQuery,
    item: memberSchema,
    run: async ({ ctx, query }) =>
      searchAndPage(await listMembers(ctx), query, ({ email, name }) => [email, name ?? '']),
  }),
});
