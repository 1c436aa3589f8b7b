import { getPageImage } from '@/lib/domain/status-pages/images/read-page-image';
import { INERT } from '@/lib/web/http/page-resource';
import { serveFile } from '../../../../serve-file';

/** An uploaded image for the members of its organization: visitors do not see those of a page that is not published. */
export const GET = serveFile<{ slug: string; name: string }>(
  'status-page.read',
  async (ctx, { params: { slug, name } }) => {
    const { bytes, mediaType } = await getPageImage(ctx, slug, name);
    return new Response(bytes, {
      headers: {
        'Content-Type': mediaType,
        'Cache-Control': 'private, max-age=31536000, immutable',
        ...INERT,
      },
    });
  },
);
