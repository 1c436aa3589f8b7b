import { readMe } from '@/lib/domain/api-keys/read-api-keys';
import { meSchema } from '@/lib/schemas/api-key';
import { operation } from '@/lib/web/http/operation';
import { resource } from '@/lib/web/http/route';

export const me = resource({
  '/me': {
    GET: operation({
      operationId: 'getMe',
      summary: 'Retrieve your organization, plan, limits and usage',
      scope: 'read',
      output: meSchema,
      run: ({ ctx }) => readMe(ctx),
    }),
  },
});
