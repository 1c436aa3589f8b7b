import { readMe } from '@/lib/api-keys/read-me';
import { operation } from '@/lib/http/operation';
import { route } from '@/lib/http/route';
import { meSchema } from '@/lib/schemas/api-key';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: operation({
    summary: 'Organization, plan, limits and usage of the caller',
    scope: 'read',
    output: meSchema,
    run: ({ ctx }) => readMe(ctx),
  }),
});
