import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Cursor, formatCursor, pageQuery, parseCursor } from './query';

const pageSchema = z.strictObject(pageQuery);
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

describe('the parameters of a page', () => {
  it('default to 50 items from the start', () => {
    expect(pageSchema.parse({})).toEqual({ limit: 50 });
    expect(pageSchema.parse({ limit: '100' })).toEqual({ limit: 100 });
  });

  it.each(['0', '101', '1000', '-1', '1.5', ' 5', '', 'ten', ['1', '2']])('reject the limit %j', (limit) => {
    expect(pageSchema.safeParse({ limit }).error?.issues[0]?.path).toEqual(['limit']);
  });

  it.each(['', 'nonsense', ['a', 'b']])('reject the cursor %j', (cursor) => {
    expect(pageSchema.safeParse({ cursor }).error?.issues[0]?.path).toEqual(['cursor']);
  });
});
