import { expect, it } from 'vitest';
import { fieldsOf, formatValue } from './audit-list';

it('names every field of either side once', () => {
  expect(fieldsOf({ name: 'a', url: 'b' }, { url: 'c', tags: [] })).toEqual(['name', 'url', 'tags']);
  expect(fieldsOf(null, { name: 'a' })).toEqual(['name']);
  expect(fieldsOf(null, null)).toEqual([]);
});

it.each([
  [null, 'none'],
  [undefined, 'none'],
  ['', 'empty'],
  ['Shop', 'Shop'],
  [false, 'false'],
  [60, '60'],
  [[], 'none'],
  [['eu-west', 'us-east'], 'eu-west, us-east'],
  [{ primaryColor: '#22c55e' }, '{"primaryColor":"#22c55e"}'],
])('%j is shown as %s', (value, text) => {
  expect(formatValue(value)).toBe(text);
});

it('a very long text is cut', () => {
  expect(formatValue('x'.repeat(1000))).toHaveLength(200);
});
