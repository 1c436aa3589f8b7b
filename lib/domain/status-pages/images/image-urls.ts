import { invalidField } from '@/lib/core/errors';
import type { Transaction } from '@/lib/platform/db/client';
import type { Brand } from '@/lib/schemas/status-pages/brand';
import {
  findImageName,
  IMAGE_PLACES,
  type ImageField,
  type ImagePlace,
  pathOfImage,
} from '@/lib/schemas/status-pages/page-images';
import type { StatusPageChanges } from '@/lib/schemas/status-pages/status-page';

/** The images of a page, uploaded or by their URLs. */
type WithImages = { logoUrl: string | null; brand: Brand; images: StoredImages };

/** The names of the uploaded images of a page. */
export type StoredImages = Partial<Record<ImagePlace, string>>;

type Urls = Record<ImageField, string | null>;

/** A page whose image URLs are the paths of what was uploaded. */
export function withImagePaths<Row extends WithImages & { slug: string }>(row: Row): Row {
  const { slug, images } = row;
  const { logoUrl, ...brand } = Object.fromEntries(
    IMAGE_PLACES.flatMap(([place, field]) => {
      const name = images[place];
      return name === undefined ? [] : [[field, pathOfImage(slug, name)]];
    }),
  ) as Partial<Urls>;
  return { ...row, logoUrl: logoUrl ?? row.logoUrl, brand: { ...row.brand, ...brand } };
}

/** The URLs of a page as they are stored: without the paths of what was uploaded. */
export function storedUrls({ logoUrl, brand, images }: WithImages): Urls {
  const shown: Urls = { logoUrl, darkLogoUrl: brand.darkLogoUrl, faviconUrl: brand.faviconUrl };
  for (const [place, field] of IMAGE_PLACES) if (images[place] !== undefined) shown[field] = null;
  return shown;
}

/** Rejects (VALIDATION_ERROR) the paths of images for a page that cannot have any yet. */
export function requireNoImages(sent: Partial<Urls>): void {
  for (const [, field] of IMAGE_PLACES) {
    const url = sent[field];
    if (typeof url === 'string' && findImageName(url) !== null)
      throw invalidField(field, 'must be an https URL. Upload the image once the page exists');
  }
}

/**
 * Applies changes of image URLs, and returns all as they are to be stored. The path of what is uploaded changes nothing; a URL or null
 * deletes it. Throws VALIDATION_ERROR for another path.
 */
export async function changeUrls(
  tx: Transaction,
  before: WithImages & { id: string },
  changes: Pick<StatusPageChanges, ImageField>,
): Promise<{ urls: Urls; hasDeleted: boolean }> {
  const urls = storedUrls(before);
  const deleted: ImagePlace[] = [];
  for (const [place, field] of IMAGE_PLACES) {
    const url = changes[field];
    if (url === undefined) continue;
    const uploaded = before.images[place];
    const named = url === null ? null : findImageName(url);
    // A page that is sent back whole, perhaps with another slug.
    if (named !== null && named === uploaded) continue;
    if (named !== null) throw invalidField(field, 'must be an https URL, or the path that it has');
    urls[field] = url;
    if (uploaded !== undefined) deleted.push(place);
  }
  if (deleted.length > 0)
    await tx.pageImage.deleteMany({ where: { pageId: before.id, place: { in: deleted } } });
  return { urls, hasDeleted: deleted.length > 0 };
}
