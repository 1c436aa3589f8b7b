import { exportSubscribers } from '@/lib/domain/subscribers/read-subscribers';
import { subscriberExportSchema } from '@/lib/schemas/status-pages/subscriber';
import { csvOperation } from '@/lib/web/http/csv-operation';
import { route } from '@/lib/web/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: csvOperation({
    operationId: 'exportSubscribers',
    summary: 'Export the subscribers of a status page as CSV',
    description: 'Newest first, as a stream. Requires the scope `write`, because it contains addresses.',
    scope: 'write',
    query: subscriberExportSchema,
    name: 'subscribers',
    run: ({ ctx, params, query }) => exportSubscribers(ctx, params.slug ?? '', query),
  }),
});
