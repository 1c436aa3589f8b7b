import { type Flaw, type ReadFormat, type Size, sizeOf, textAt, viewOf } from './format';

export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/** Length, type and checksum of a chunk. */
const FRAME = 12;
/** The bit depths of each color type. */
const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Reads a PNG (ISO/IEC 15948): all chunks with their checksums. */
export const readPng: ReadFormat = (bytes) => {
  const view = viewOf(bytes);
  let size: Size | null = null;
  let hasPixels = false;
  for (let at = PNG_SIGNATURE.length; at + FRAME <= bytes.length; ) {
    const length = view.getUint32(at);
    const end = at + FRAME + length;
    if (end > bytes.length) return 'damaged';
    const type = textAt(bytes, at + 4, 4);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return 'damaged';
    // The first chunk, once.
    if ((type === 'IHDR') !== (size === null)) return 'damaged';
    if (type === 'IHDR') {
      const read = readHeader(view, at + 8, length);
      if (typeof read === 'string') return read;
      size = read;
    }
    if (type === 'acTL') return 'animated';
    if (type === 'IDAT') hasPixels = true;
    if (type === 'IEND') {
      if (size === null || !hasPixels) return 'damaged';
      return end === bytes.length ? size : 'followed';
    }
    at = end;
  }
  return 'damaged';
};

function readHeader(view: DataView, at: number, length: number): Size | Flaw {
  if (length !== 13) return 'damaged';
  const isKnown =
    DEPTHS[view.getUint8(at + 9)]?.includes(view.getUint8(at + 8)) &&
    view.getUint8(at + 10) === 0 &&
    view.getUint8(at + 11) === 0 &&
    view.getUint8(at + 12) <= 1;
  return isKnown ? sizeOf(view.getUint32(at), view.getUint32(at + 4)) : 'damaged';
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let rest = index;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** As in zlib, which browsers do not have. */
function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = (CRC_TABLE[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}
