import { type Flaw, type ReadFormat, type Size, sizeOf, textAt, viewOf } from './format';

const HEADER = 12;
const IS_ANIMATED = 0x02;

/** Whether bytes begin as a WebP does. */
export function isWebp(bytes: Uint8Array): boolean {
  return textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP';
}

/** Reads a WebP (RFC 9649): all chunks, and that one is the image. */
export const readWebp: ReadFormat = (bytes) => {
  const view = viewOf(bytes);
  if (bytes.length < HEADER) return 'damaged';
  const stated = 8 + view.getUint32(4, true);
  if (stated !== bytes.length) return stated < bytes.length ? 'followed' : 'damaged';
  let canvas: Size | null = null;
  let image: Size | null = null;
  for (let at = HEADER; at < bytes.length; ) {
    if (at + 8 > bytes.length) return 'damaged';
    const type = textAt(bytes, at, 4);
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length + (length % 2);
    if (end > bytes.length) return 'damaged';
    if (type === 'ANIM' || type === 'ANMF') return 'animated';
    const read = readChunk(type, bytes.subarray(at + 8, at + 8 + length));
    if (typeof read === 'string') return read;
    if (type === 'VP8X') {
      if (at !== HEADER) return 'damaged';
      canvas = read;
    } else if (read !== null) {
      if (image !== null) return 'damaged';
      image = read;
    } else if (canvas === null) return 'damaged';
    at = end;
  }
  if (image === null) return 'damaged';
  const isWhole = canvas === null || (canvas.width === image.width && canvas.height === image.height);
  return isWhole ? image : 'damaged';
};

/** The size in a chunk; null for one without. */
function readChunk(type: string, chunk: Uint8Array): Size | Flaw | null {
  const view = viewOf(chunk);
  switch (type) {
    case 'VP8X':
      if (chunk.length < 10) return 'damaged';
      if (view.getUint8(0) & IS_ANIMATED) return 'animated';
      return sizeOf(readUint24(view, 4) + 1, readUint24(view, 7) + 1);
    case 'VP8 ': {
      // A key frame, its start code, and its first partition.
      if (chunk.length < 10 || textAt(chunk, 3, 3) !== '\x9d\x01\x2a') return 'damaged';
      const tag = readUint24(view, 0);
      if (tag & 1 || 10 + (tag >>> 5) > chunk.length) return 'damaged';
      return sizeOf(view.getUint16(6, true) & 0x3fff, view.getUint16(8, true) & 0x3fff);
    }
    case 'VP8L': {
      if (chunk.length < 5 || view.getUint8(0) !== 0x2f) return 'damaged';
      const bits = view.getUint32(1, true);
      // The version.
      if (bits >>> 29 !== 0) return 'damaged';
      return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    default:
      return null;
  }
}

function readUint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}
