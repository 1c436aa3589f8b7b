import { pageResource } from '@/lib/http/page-resource';
import { badgeQuery } from '@/lib/schemas/badge';
import { readBadge } from '@/lib/status-pages/read-badge';
import { writeBadge } from '@/lib/status-pages/write-badge';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageResource({
  contentType: 'image/svg+xml; charset=utf-8',
  query: badgeQuery,
  write: async ({ services, page, query }) => {
    const { label, figure } = await readBadge(services, page, query);
    return { body: writeBadge(label, figure) };
  },
});
