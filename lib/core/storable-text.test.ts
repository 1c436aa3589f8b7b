import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryText } from '@/lib/testing/arbitrary-text';
import { cutText, storableJson, storableText } from './storable-text';

const limits = fc.integer({ min: 1, max: 40 });

describe('storable text', () => {
  it('is the text itself if it is valid', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const clean = text.replaceAll('\0', '');
        expect(storableText(clean)).toBe(clean);
      }),
    );
  });

  it('is well-formed, contains no NUL, and never exceeds the limit', () => {
    fc.assert(
      fc.property(arbitraryText(60), limits, (text, limit) => {
        for (const stored of [storableText(text, limit), cutText(text, limit)]) {
          expect(stored.isWellFormed()).toBe(true);
          expect(stored).not.toContain('\0');
          expect(stored.length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('is truncated between characters, with an ellipsis', () => {
    const text = `${'k'.repeat(98)}😀 and more`;
    expect(storableText(text, 100)).toBe(`${'k'.repeat(98)}…`);
    expect(storableText(text, 101)).toBe(`${'k'.repeat(98)}😀…`);
    expect(storableText('😀', 2)).toBe('😀');
    expect(cutText('ab😀', 3)).toBe('ab');
    expect(cutText('ab😀', 0)).toBe('');
  });

  it('shows half a character as U+FFFD', () => {
    expect(storableText('a\ud83d b\0')).toBe('a\ufffd b');
  });
});

describe('storable JSON', () => {
  it('is the output of JSON.stringify if every text is storable', () => {
    const value = { text: 'a😀 \\u0000', at: new Date(0), list: [1, null, 'x'], missing: undefined };
    expect(storableJson(value)).toBe(JSON.stringify(value));
  });

  it('makes every text storable, including names of fields', () => {
    const value = { 'a\0': ['b\ud83d', { c: '\0d' }], at: new Date(0), n: 1 };
    expect(JSON.parse(storableJson(value))).toEqual({
      a: ['b\ufffd', { c: 'd' }],
      at: '1970-01-01T00:00:00.000Z',
      n: 1,
    });
  });
});
