import { notFound } from '@/lib/core/errors';
import { IMAGE_FORMATS } from '@/lib/core/images/read-image';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { findOwnPage } from '@/lib/domain/status-pages/read-status-pages';
import type { Database } from '@/lib/platform/db/client';
import { IMAGE_PLACES, parseImageName } from '@/lib/schemas/status-pages/page-images';

type FoundImage = { bytes: Uint8Array<ArrayBuffer>; mediaType: string };

/** An uploaded image of a page by its name, and its media type. Throws NOT_FOUND. */
export async function readPageImage(
  db: Pick<Database, 'pageImage'>,
  { id: pageId, images }: Pick<PageRow, 'id' | 'images'>,
  name: string,
): Promise<FoundImage> {
  const stated = parseImageName(name);
  const [place] = IMAGE_PLACES.find(([place]) => images[place] === name) ?? [];
  if (stated === null || place === undefined) throw notFound('Image');
  const where = { pageId_place: { pageId, place } };
  const image = await db.pageImage.findUnique({ where, select: { name: true, bytes: true } });
  // Replaced in the meantime.
  if (image?.name !== name) throw notFound('Image');
  return { bytes: image.bytes, mediaType: IMAGE_FORMATS[stated.format].mediaType };
}

/** The same for members of its organization. Throws FORBIDDEN and NOT_FOUND. */
export async function getPageImage(
  ctx: OrganizationContext,
  slug: string,
  name: string,
): Promise<FoundImage> {
  requirePermission(ctx, 'status-page.read');
  return readPageImage(ctx.db, await findOwnPage(ctx, slug), name);
}
