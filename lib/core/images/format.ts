/** Width and height in pixels. */
export type Size = { width: number; height: number };

/** What is wrong with an image whose format is known. */
export type Flaw = 'animated' | 'damaged' | 'followed';

/** Reads an image of one format from its first to its last byte, without decoding its pixels. */
export type ReadFormat = (bytes: Uint8Array) => Size | Flaw;

/** A view of exactly these bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Bytes as Latin-1 text; fewer than `length` at the end. */
export function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** A size in whole pixels; damaged without any. */
export function sizeOf(width: number, height: number): Size | Flaw {
  return width > 0 && height > 0 ? { width, height } : 'damaged';
}
