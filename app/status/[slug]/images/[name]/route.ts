import { z } from 'zod';
import { readPageImage } from '@/lib/domain/status-pages/images/read-page-image';
import { pageResource } from '@/lib/web/http/page-resource';

/** An uploaded image. Its name changes with it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageResource({
  contentType: 'application/octet-stream',
  query: z.object({}),
  isFixed: true,
  write: async ({ services, page, params }) => {
    const { bytes, mediaType } = await readPageImage(services.db, page, params.name ?? '');
    return { body: bytes, headers: { 'Content-Type': mediaType } };
  },
});
