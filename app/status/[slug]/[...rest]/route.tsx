import { pageRoute } from '@/app/status/page-route';
import { statusPageNotFound } from '@/lib/domain/status-pages/page-row';

export const dynamic = 'force-dynamic';

/** Any other path below a page: the same 404 as for an unknown page. */
export const GET = pageRoute({
  read: () => Promise.reject(statusPageNotFound()),
  draw: () => <html lang="en" />,
});
