import { IMAGE_FORMATS, type ImageFormat, MAX_IMAGE_BYTES } from '@/lib/core/images/read-image';

/** A file that was chosen in the editor and is not uploaded yet: its content as a `data:` URL, in the place of the URL of the image. */

const PREFIX = 'data:image/';
const CHOSEN = /^data:image\/(?:png|jpeg|webp|vnd\.microsoft\.icon);base64,([A-Za-z0-9+/]+={0,2})$/;

/** The longest such URL. */
export const MAX_CHOSEN_LENGTH = 100 + 4 * Math.ceil(MAX_IMAGE_BYTES / 3);

/** Whether a value is a chosen file. Nothing else of it was checked. */
export function isChosenImage(value: string): boolean {
  return value.startsWith(PREFIX);
}

/** The content of a chosen file in base64; null for anything else. */
export function contentOfChosen(value: string): string | null {
  return value.length > MAX_CHOSEN_LENGTH ? null : (CHOSEN.exec(value)?.[1] ?? null);
}

/** The value of a chosen file. */
export function toChosenImage(format: ImageFormat, base64: string): string {
  return `data:${IMAGE_FORMATS[format].mediaType};base64,${base64}`;
}
