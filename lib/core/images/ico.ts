import { type Flaw, type ReadFormat, type Size, sizeOf, textAt, viewOf } from './format';
import { PNG_SIGNATURE, readPng } from './png';

export const ICO_SIGNATURE = '\0\0\x01\0';

const [HEADER, ENTRY, BITMAP_HEADER] = [6, 16, 40];
const DEPTHS = [1, 4, 8, 24, 32];

/** Reads an ICO: all of its images, one after the other. Its size is that of the largest. */
export const readIco: ReadFormat = (bytes) => {
  const view = viewOf(bytes);
  if (bytes.length < HEADER) return 'damaged';
  const count = view.getUint16(4, true);
  const images = HEADER + count * ENTRY;
  if (count === 0 || images > bytes.length) return 'damaged';
  const entries = Array.from({ length: count }, (_, index) => {
    const at = HEADER + index * ENTRY;
    return { length: view.getUint32(at + 8, true), offset: view.getUint32(at + 12, true) };
  });
  entries.sort((a, b) => a.offset - b.offset);
  let largest: Size = { width: 0, height: 0 };
  let at = images;
  for (const { length, offset } of entries) {
    const end = offset + length;
    // Without gaps, which could hold anything, and without two that share bytes.
    if (offset !== at || end > bytes.length) return 'damaged';
    const read = readEntry(bytes.subarray(offset, end));
    if (typeof read === 'string') return read;
    if (read.width * read.height > largest.width * largest.height) largest = read;
    at = end;
  }
  return at === bytes.length ? largest : 'followed';
};

function readEntry(image: Uint8Array): Size | Flaw {
  return textAt(image, 0, PNG_SIGNATURE.length) === PNG_SIGNATURE ? readPng(image) : readBitmap(image);
}

/** Reads a bitmap without a file header, uncompressed: its palette, its pixels, and a mask of one bit each, which some writers leave out. */
function readBitmap(image: Uint8Array): Size | Flaw {
  const view = viewOf(image);
  if (image.length < BITMAP_HEADER || view.getUint32(0, true) !== BITMAP_HEADER) return 'damaged';
  const [width, doubled] = [view.getInt32(4, true), view.getInt32(8, true)];
  const depth = view.getUint16(14, true);
  if (doubled % 2 !== 0 || !DEPTHS.includes(depth) || view.getUint32(16, true) !== 0) return 'damaged';
  const colors = view.getUint32(32, true) || 2 ** depth;
  const height = doubled / 2;
  const palette = depth <= 8 ? 4 * Math.min(colors, 256) : 0;
  const least = BITMAP_HEADER + palette + height * bytesOfLine(width * depth);
  const most = least + height * bytesOfLine(width);
  if (image.length > most) return 'followed';
  return image.length < least ? 'damaged' : sizeOf(width, height);
}

/** Lines are padded to four bytes. */
function bytesOfLine(bits: number): number {
  return 4 * Math.ceil(bits / 32);
}
