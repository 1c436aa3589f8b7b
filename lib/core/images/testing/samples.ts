import { crc32, deflateSync } from 'node:zlib';

/** Images as other programs write them, of 3 × 2 pixels. */
const WRITTEN = {
  jpg: '/9j/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAgb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCHABEv/9k=',
  progressive:
    '/9j/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wgARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAVAQEBAAAAAAAAAAAAAAAAAAACBf/aAAwDAQACEAMQAAABhgxP/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABBQJ//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAwEBPwF//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPwF//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAGPwJ//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPyF//9oADAMBAAIAAwAAABAL/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAwEBPxB//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPxB//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxB//9k=',
  lossy: 'UklGRioAAABXRUJQVlA4IB4AAABQAQCdASoDAAIADMDOJaAABAAAAP7XkH9JdLi0AAA=',
  lossless: 'UklGRh4AAABXRUJQVlA4TBEAAAAvAkAAAAdQvFIUqv+BiOh/AAA=',
  translucent:
    'UklGRk4AAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAgICAgICAAFZQOCAgAAAAMAEAnQEqAwACAAdAliWgAANwAP7gt/f/69aW5txAAAA=',
  animated:
    'UklGRqIAAABXRUJQVlA4WAoAAAACAAAAAQAAAQAAQU5JTQYAAAD/////AQBBTk1GNgAAAAAAAAAAAAEAAAEAAGQAAAJWUDggHgAAAFABAJ0BKgIAAgAMwM4loAAEAAAA/teQf0l0uLQAAEFOTUY4AAAAAAAAAAAAAQAAAQAAZAAAAFZQOCAgAAAAVAEAnQEqAgACAAAAziWgAAQAAAD+15B/9RPYR33ZgAA=',
  gif: 'R0lGODlhAQABAIAAAExpcRR4UCH5BAUAAAAALAAAAAABAAEAAAICTAEAOw==',
} as const;

/** One of the images that other programs have written. */
export function writtenImage(name: keyof typeof WRITTEN): Buffer<ArrayBuffer> {
  return Buffer.from(WRITTEN[name], 'base64');
}

/** A chunk of a PNG. */
export function pngChunk(type: string, data: Uint8Array = new Uint8Array()): Buffer<ArrayBuffer> {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), data.length + 8);
  return chunk;
}

/** A PNG of one color, gray by default, with more chunks before its pixels. */
export function pngImage(
  { width, height, color = [128, 128, 128] }: { width: number; height: number; color?: number[] },
  more: readonly Uint8Array[] = [],
): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const line = Buffer.concat([Buffer.alloc(1), ...Array.from({ length: width }, () => Buffer.from(color))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const chunks = [pngChunk('IHDR', header), ...more, pngChunk('IDAT', pixels), pngChunk('IEND')];
  return Buffer.concat([signature, ...chunks]);
}

/** An image of an ICO: a square bitmap with 32 bits per pixel. */
export function bitmap(side: number): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(side, 4);
  header.writeInt32LE(2 * side, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  return Buffer.concat([header, Buffer.alloc(4 * side * side + side * 4 * Math.ceil(side / 32))]);
}

/** An ICO of these images. */
export function icoImage(images: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  images.forEach((image, index) => {
    head.writeUInt32LE(image.length, 6 + 16 * index + 8);
    head.writeUInt32LE(offset, 6 + 16 * index + 12);
    offset += image.length;
  });
  return Buffer.concat([head, ...images]);
}
