import { readMe } from '@/lib/domain/api-keys/read-api-keys';
import { meSchema } from '@/lib/schemas/api-key';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    operationId: 'getMe',
    summary: 'Retrieve your organization, plan, limits and usage',
    scope: 'read',
    output: meSchema,
    run: ({ ctx }) => readMe(ctx),
  }),
});
