import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_IMAGE_BYTES, readImage } from './read-image';
import { bitmap, icoImage, pngChunk, pngImage, writtenImage } from './testing/samples';

const PNG = pngImage({ width: 30, height: 20 });
const ICO = icoImage([bitmap(16), PNG, bitmap(48)]);
const IMAGES = {
  png: PNG,
  jpeg: writtenImage('jpg'),
  'progressive jpeg': writtenImage('progressive'),
  'lossy webp': writtenImage('lossy'),
  'lossless webp': writtenImage('lossless'),
  'webp with transparency': writtenImage('translucent'),
  ico: ICO,
};

const problemOf = (bytes: Uint8Array): string => {
  const read = readImage(bytes);
  return 'problem' in read ? read.problem : `is fine: ${JSON.stringify(read)}`;
};
const text = (content: string) => new TextEncoder().encode(content);

describe('an image', () => {
  it.each([
    ['png', 'png', 30, 20],
    ['jpeg', 'jpg', 3, 2],
    ['progressive jpeg', 'jpg', 3, 2],
    ['lossy webp', 'webp', 3, 2],
    ['lossless webp', 'webp', 3, 2],
    ['webp with transparency', 'webp', 3, 2],
    ['ico', 'ico', 48, 48],
  ] as const)('is known by its bytes: %s', (name, format, width, height) => {
    expect(readImage(IMAGES[name])).toEqual({ format, width, height });
  });

  it.each(Object.entries(IMAGES))('is refused wherever it is cut off: %s', (_, bytes) => {
    for (let length = 12; length < bytes.length; length += Math.ceil(bytes.length / 400)) {
      expect(problemOf(bytes.subarray(0, length)), String(length)).toMatch(/^(is damaged|has an unknown)/);
    }
  });

  it.each(Object.entries(IMAGES))('is refused if anything follows it: %s', (_, bytes) => {
    for (const more of ['\0', '<script>alert(1)</script>', 'PK\x03\x04', bytes.toString('latin1')]) {
      expect(problemOf(Buffer.concat([bytes, Buffer.from(more, 'latin1')]))).toMatch(
        /^is (followed|damaged)/,
      );
    }
  });

  it.each(Object.entries(IMAGES))('is refused if anything comes before it: %s', (_, bytes) => {
    for (const more of ['<html>', '%PDF-1.7\n', '\n']) {
      expect(problemOf(Buffer.concat([Buffer.from(more), bytes]))).toMatch(/^(has an unknown|is a text)/);
    }
  });

  it.each([
    ['a PNG with frames', pngImage({ width: 2, height: 2 }, [pngChunk('acTL', new Uint8Array(8))])],
    ['a WebP with frames', writtenImage('animated')],
    [
      'an ICO of a PNG with frames',
      icoImage([pngImage({ width: 2, height: 2 }, [pngChunk('acTL', new Uint8Array(8))])]),
    ],
  ])('is refused if it is animated: %s', (_, bytes) => {
    expect(problemOf(bytes)).toBe('is animated: upload a single image');
  });

  it('has at most four megapixels, also within an ICO', () => {
    expect(readImage(pngImage({ width: 2000, height: 2000 }))).toMatchObject({ width: 2000, height: 2000 });
    const large = pngImage({ width: 2001, height: 2000 });
    const problem = 'has 2001 × 2000 pixels, more than 4 megapixels: make it smaller';
    expect(problemOf(large)).toBe(problem);
    expect(problemOf(icoImage([bitmap(16), large]))).toBe(problem);
  });

  it('has at most 256 KiB, and some', () => {
    const filled = (bytes: number) =>
      pngImage({ width: 2, height: 2 }, [pngChunk('teXt', new Uint8Array(bytes - 12))]);
    const room = MAX_IMAGE_BYTES - pngImage({ width: 2, height: 2 }).length;
    expect(filled(room)).toHaveLength(MAX_IMAGE_BYTES);
    expect(readImage(filled(room))).toMatchObject({ format: 'png' });
    expect(problemOf(filled(room + 1))).toMatch(/^is larger than 256 KiB/);
    expect(problemOf(new Uint8Array())).toMatch(/^is empty/);
  });

  it.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', /^is an SVG, .* enter that/],
    ['\ufeff\n<?xml version="1.0"?><!-- x --><svg width="1">', /^is an SVG/],
    ['<!doctype html><script>alert(1)</script>', /^is a text document/],
    ['GIF89a', /^is a GIF/],
    ['BM', /^has an unknown format: upload a PNG, JPEG, WebP, or ICO/],
    ['\u0000\u0000\u0002\u0000\u0001\u0000', /^has an unknown format/],
  ])('of another format is refused with what to do, whatever its name: %j', (content, problem) => {
    expect(readImage(text(content))).toEqual({ problem: expect.stringMatching(problem), isOther: true });
  });

  it('in an ICO neither overlaps others nor has gaps around it', () => {
    const shared = Buffer.from(ICO);
    shared.writeUInt32LE(shared.readUInt32LE(6 + 12), 6 + 16 + 12);
    expect(problemOf(shared)).toMatch(/^is damaged/);
    const [head, rest] = [ICO.subarray(0, 54), ICO.subarray(54)];
    const gap = Buffer.concat([head, Buffer.from('<html>'), rest]);
    for (const place of [18, 34, 50]) gap.writeUInt32LE(gap.readUInt32LE(place) + 6, place);
    expect(problemOf(gap)).toMatch(/^is damaged/);
    const endless = Buffer.from(ICO);
    endless.writeUInt16LE(65_535, 4);
    expect(problemOf(endless)).toMatch(/^is damaged/);
  });
});

const changes = fc.array(fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }), {
  minLength: 1,
  maxLength: 20,
});

it('whatever the bytes are, reading ends, without an error of ours, with an image within the limits or a sentence', () => {
  const images = Object.values(IMAGES);
  const mutated = fc
    .record({
      image: fc.constantFrom(...images),
      changes,
      cut: fc.option(fc.nat()),
      repeat: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ image, changes: list, cut, repeat }) => {
      const bytes = Buffer.concat(Array.from({ length: repeat }, () => image));
      for (const { at, byte } of list) bytes[at % Math.min(bytes.length, 200)] = byte;
      return cut === null ? bytes : bytes.subarray(0, cut % bytes.length);
    });
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 2000 })), (bytes) => {
      const read = readImage(bytes);
      if ('problem' in read) expect(read.problem).toMatch(/^(is|has) .*: \S/);
      else expect(read.width * read.height).toBeLessThanOrEqual(4_000_000);
    }),
    { numRuns: 3000 },
  );
});

it.each([
  ['fill bytes of a JPEG', Buffer.concat([writtenImage('jpg').subarray(0, 2), Buffer.alloc(250_000, 0xff)])],
  ['the scan of a JPEG', Buffer.concat([writtenImage('jpg').subarray(0, -2), Buffer.alloc(250_000, 0xff)])],
  [
    'empty chunks of a PNG',
    pngImage(
      { width: 2, height: 2 },
      Array.from({ length: 21_000 }, () => pngChunk('teXt')),
    ),
  ],
  ['images of an ICO', icoImage(Array.from({ length: 2500 }, () => pngImage({ width: 2, height: 2 })))],
])('a large number of %s is read once', (_, bytes) => {
  const read = readImage(bytes);
  expect('problem' in read ? read.problem : read.format).toMatch(/^(is damaged|png|ico)/);
});
