import { z } from 'zod';
import { pageResource } from '@/lib/http/page-resource';
import { publicStatusPageSchema } from '@/lib/schemas/status-page';
import { readPublicPage } from '@/lib/status-pages/read-public-page';

/** The page as GET /api/status-pages/public answers it, also on the page's own domain. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageResource({
  contentType: 'application/json',
  query: z.object({}),
  write: async ({ services, page }) => ({
    body: JSON.stringify(publicStatusPageSchema.parse(await readPublicPage(services, page.slug))),
  }),
});
