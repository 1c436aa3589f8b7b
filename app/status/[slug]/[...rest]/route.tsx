import { pageRoute } from '@/app/status/page-route';
import { notFound } from '@/lib/core/errors';

export const dynamic = 'force-dynamic';

/** Any other path below a page: the same 404 as for an unknown page. */
export const GET = pageRoute({
  read: () => Promise.reject(notFound('Status page')),
  draw: () => <html lang="en" />,
});
