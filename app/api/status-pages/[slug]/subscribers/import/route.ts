import { importSubscribers } from '@/lib/domain/subscribers/import/import-subscribers';
import {
  importSubscribersSchema,
  subscriberImportSchema,
} from '@/lib/schemas/status-pages/subscriber-import';
import { operation } from '@/lib/web/http/operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: operation({
    operationId: 'importSubscribers',
    summary: 'Import subscribers of a status page',
    description:
      'Each new address is emailed a link and counts once it is confirmed. A line that is not valid holds up no other.',
    scope: 'write',
    body: importSubscribersSchema,
    output: subscriberImportSchema,
    run: ({ ctx, params, body }) => importSubscribers(ctx, params.slug ?? '', body),
  }),
});
