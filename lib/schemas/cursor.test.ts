import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cursor, formatCursor, parseCursor } from './cursor';

const cursors = fc.record<Cursor>({
  at: fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }),
  tie: fc.integer({ min: 0, max: 999_999_999_999_999 }),
});

describe('a cursor', () => {
  it('survives a round trip and needs no escaping in a URL', () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        const text = formatCursor(cursor);
        expect(parseCursor(text)).toEqual(cursor);
        expect(encodeURIComponent(text)).toBe(text);
      }),
    );
  });

  it('is not parsed from any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const cursor = parseCursor(text);
        expect(cursor === null || formatCursor(cursor) === text).toBe(true);
      }),
    );
    for (const text of ['', 'x', '!', btoa('1.2;3'), btoa('-1.2'), btoa('12.3')]) {
      expect([text, parseCursor(text)]).toEqual([text, null]);
    }
  });
});
