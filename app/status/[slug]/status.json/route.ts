import { z } from 'zod';
import { readPublicPageOf } from '@/lib/domain/status-pages/public/read-public-page';
import { publicStatusPageSchema } from '@/lib/schemas/status-pages/public-status-page';
import { pageResource } from '@/lib/web/http/page-resource';

/** The same JSON as `GET /api/status-pages/public`, also on the page's own domain. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageResource({
  contentType: 'application/json',
  query: z.object({}),
  write: async ({ services, page }) => ({
    body: JSON.stringify(publicStatusPageSchema.parse(await readPublicPageOf(services, page))),
  }),
});
