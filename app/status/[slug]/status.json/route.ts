import { z } from 'zod';
import { readPublicPageOf } from '@/lib/domain/status-pages/public/read-public-page';
import { IS_PRODUCTION } from '@/lib/env';
import { compileOutput } from '@/lib/schemas/compile-output';
import { publicStatusPageSchema } from '@/lib/schemas/status-pages/public-status-page';
import { pageResource } from '@/lib/web/http/page-resource';

const write = compileOutput(publicStatusPageSchema, { isChecked: !IS_PRODUCTION });

/** The same JSON as `GET /api/status-pages/public`, also on the page's own domain. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageResource({
  contentType: 'application/json',
  query: z.object({}),
  write: async ({ services, page }) => ({
    body: write(await readPublicPageOf(services, page)),
  }),
});
