import type { ReadImage } from '@/lib/core/images/read-image';

/** Images that were uploaded for a page, and their paths; apart from schemas, which browsers do not need. */

/** The places of a page for which an image can be uploaded, and the fields that have its path. */
export const IMAGE_FIELDS = { logo: 'logoUrl', darkLogo: 'darkLogoUrl', favicon: 'faviconUrl' } as const;

export type ImagePlace = keyof typeof IMAGE_FIELDS;
export type ImageField = (typeof IMAGE_FIELDS)[ImagePlace];

/** The places with their fields. */
export const IMAGE_PLACES = Object.entries(IMAGE_FIELDS) as [ImagePlace, ImageField][];

const NAME = /^[0-9a-f]{32}-(\d{1,7})x(\d{1,7})\.(png|jpg|webp|ico)$/;
const PATH = /^\/status\/[a-z0-9-]{1,63}\/images\/([^/]+)$/;

/** The name of an image: its content, so that it can be kept forever, its size, so that nothing moves when it arrives, and its format. */
export function nameImage(hash: string, { width, height, format }: ReadImage): string {
  return `${hash}-${width}x${height}.${format}`;
}

/** What the name of an image states; null for any other text. */
export function parseImageName(name: string): ReadImage | null {
  const [, width, height, format] = NAME.exec(name) ?? [];
  if (format === undefined) return null;
  return { width: Number(width), height: Number(height), format: format as ReadImage['format'] };
}

/** The path of an image on the host of the app. */
export function pathOfImage(slug: string, name: string): string {
  return `/status/${slug}/images/${name}`;
}

/** The name of the image that such a path leads to; null for any other text. */
export function findImageName(path: string): string | null {
  const [, name = ''] = PATH.exec(path) ?? [];
  return parseImageName(name) === null ? null : name;
}
