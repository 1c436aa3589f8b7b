import { pageRoute } from '@/app/status/page-route';
import { statusPageNotFound } from '@/lib/domain/status-pages/read-status-pages';

export const dynamic = 'force-dynamic';

/** Whatever else is asked for below a page: the same as for a page that does not exist. */
export const GET = pageRoute({
  read: () => Promise.reject(statusPageNotFound()),
  draw: () => <html lang="en" />,
});
