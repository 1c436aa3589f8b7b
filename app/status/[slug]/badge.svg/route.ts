import { readBadge, writeBadge } from '@/lib/domain/status-pages/public/badge';
import { badgeQuery } from '@/lib/schemas/status-pages/page-preview';
import { pageResource } from '@/lib/web/http/page-resource';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageResource({
  contentType: 'image/svg+xml; charset=utf-8',
  query: badgeQuery,
  write: async ({ services, page, query }) => {
    const { label, figure } = await readBadge(services, page, query);
    return { body: writeBadge(label, figure) };
  },
});
