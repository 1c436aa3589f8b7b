import { changeRole, removeMember } from '@/lib/domain/members/change-members';
import { getMember, listMembers } from '@/lib/domain/members/read-members';
import { messageSchema } from '@/lib/schemas/monitor';
import { memberSchema, updateMemberSchema } from '@/lib/schemas/people';
import { searchAndPage, timedListQuery } from '@/lib/schemas/query';
import { operation } from '@/lib/web/http/operation';
import { listOperation } from '@/lib/web/http/operations/list-operation';
import { resource } from '@/lib/web/http/route';

export const members = resource({
  '/members': {
    GET: listOperation({
      operationId: 'listMembers',
      summary: 'List members',
      scope: 'read',
      query: timedListQuery,
      item: memberSchema,
      run: async ({ ctx, query }) =>
        searchAndPage(await listMembers(ctx), query, ({ email, name }) => [email, name ?? '']),
    }),
  },
  '/members/{id}': {
    GET: operation({
      operationId: 'getMember',
      summary: 'Retrieve a member',
      scope: 'read',
      output: memberSchema,
      run: ({ ctx, params }) => getMember(ctx, params.id ?? ''),
    }),
    PUT: operation({
      operationId: 'updateMember',
      summary: 'Update the role of a member',
      description:
        'A key has admin permissions: only an owner, in the dashboard, can create, change or remove an owner (403). The only owner cannot be changed (409).',
      scope: 'write',
      body: updateMemberSchema,
      output: memberSchema,
      run: ({ ctx, params, body }) => changeRole(ctx, params.id ?? '', body),
    }),
    DELETE: operation({
      operationId: 'removeMember',
      summary: 'Remove a member',
      description:
        'They lose access immediately. What they created stays, including API keys, which belong to the organization.',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params }) => removeMember(ctx, params.id ?? ''),
    }),
  },
});
