import { readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { publicStatusPageQuery, publicStatusPageSchema } from '@/lib/schemas/status-pages/public-status-page';
import { shareWithServer } from '@/lib/web/http/process-shared';
import { preflight, publicOperation } from '@/lib/web/http/public-operation';
import { route } from '@/lib/web/http/route';

/** A published page: no key, any origin, cached by shared caches for ten seconds if it is public. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: publicOperation({
    operationId: 'getPublicStatusPage',
    summary: 'Retrieve a published status page',
    query: publicStatusPageQuery,
    output: publicStatusPageSchema,
    run: ({ services, query, admit }) => readPublicPage(services, query.slug, admit),
  }),
  OPTIONS: preflight(['GET', 'HEAD', 'OPTIONS']),
});

shareWithServer('/api/status-pages/public', GET);
