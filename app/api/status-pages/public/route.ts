import { preflight, publicOperation } from '@/lib/http/public-operation';
import { route } from '@/lib/http/route';
import { publicStatusPageQuery, publicStatusPageSchema } from '@/lib/schemas/status-page';
import { readPublicPage } from '@/lib/status-pages/read-public-page';

/** A published page for everybody: no key, any origin, kept by shared caches for ten seconds. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: publicOperation({
    summary: 'Fetch a published page without authentication',
    query: publicStatusPageQuery,
    output: publicStatusPageSchema,
    cacheControl: 'public, s-maxage=10, stale-while-revalidate=60',
    pageId: ({ id }) => id,
    run: ({ services, query }) => readPublicPage(services, query.slug),
  }),
  OPTIONS: preflight(['GET', 'HEAD', 'OPTIONS']),
});
