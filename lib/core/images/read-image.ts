import { type Flaw, type ReadFormat, type Size, textAt } from './format';
import { ICO_SIGNATURE, readIco } from './ico';
import { JPEG_SIGNATURE, readJpeg } from './jpeg';
import { PNG_SIGNATURE, readPng } from './png';
import { isWebp, readWebp } from './webp';

export const MAX_IMAGE_BYTES = 256 * 1024;
export const MAX_IMAGE_PIXELS = 4_000_000;

/** The formats that can be uploaded, by the extension of their files. */
export const IMAGE_FORMATS = {
  png: { mediaType: 'image/png' },
  jpg: { mediaType: 'image/jpeg' },
  webp: { mediaType: 'image/webp' },
  ico: { mediaType: 'image/vnd.microsoft.icon' },
} as const;

export type ImageFormat = keyof typeof IMAGE_FORMATS;

/** An image as it was read from its bytes. */
export type ReadImage = Size & { format: ImageFormat };

/** Why an image is refused, as a predicate that says what to do. `isOther`: it is of another format, not a bad one of ours. */
export type ImageProblem = { problem: string; isOther: boolean };

const FLAWS: Record<Flaw, string> = {
  animated: 'is animated: upload a single image',
  damaged: 'is damaged or incomplete: export it again, and upload that',
  followed: 'is followed by data that does not belong to it: export it again, and upload that',
};

/** What is wrong with the size of a file; null: nothing. */
export function findSizeProblem(bytes: number): string | null {
  if (bytes === 0) return 'is empty: choose another file';
  return bytes > MAX_IMAGE_BYTES
    ? `is larger than ${MAX_IMAGE_BYTES / 1024} KiB: make it smaller, or enter the URL of the image instead`
    : null;
}

/**
 * Reads an image: its format by its bytes alone, and its size in pixels from its headers. Nothing is decoded, but every byte has to belong to
 * it. Never throws, and takes time in proportion to the bytes.
 */
export function readImage(bytes: Uint8Array): ReadImage | ImageProblem {
  const problem = findSizeProblem(bytes.length);
  if (problem !== null) return { problem, isOther: false };
  const found = findFormat(bytes);
  if (found === null) return { problem: nameOther(bytes), isOther: true };
  const size = found.read(bytes);
  if (typeof size === 'string') return { problem: FLAWS[size], isOther: false };
  if (size.width * size.height > MAX_IMAGE_PIXELS) return { problem: formatTooMany(size), isOther: false };
  return { ...size, format: found.format };
}

function findFormat(bytes: Uint8Array): { format: ImageFormat; read: ReadFormat } | null {
  const begins = (signature: string) => textAt(bytes, 0, signature.length) === signature;
  if (begins(PNG_SIGNATURE)) return { format: 'png', read: readPng };
  if (begins(JPEG_SIGNATURE)) return { format: 'jpg', read: readJpeg };
  if (begins(ICO_SIGNATURE)) return { format: 'ico', read: readIco };
  return isWebp(bytes) ? { format: 'webp', read: readWebp } : null;
}

const CONVERT = 'upload a PNG, JPEG, WebP, or ICO file';

function nameOther(bytes: Uint8Array): string {
  const start = new TextDecoder().decode(bytes.subarray(0, 1000)).trimStart().toLowerCase();
  if (start.startsWith('<') && /<svg[\s>]/.test(start)) {
    return 'is an SVG, which can only be shown by its URL: enter that, or upload a PNG of it';
  }
  if (start.startsWith('<')) return `is a text document and not an image: ${CONVERT}`;
  if (start.startsWith('gif8')) return `is a GIF: ${CONVERT}`;
  return `has an unknown format: ${CONVERT}`;
}

function formatTooMany({ width, height }: Size): string {
  return `has ${width} × ${height} pixels, more than ${MAX_IMAGE_PIXELS / 1_000_000} megapixels: make it smaller`;
}
