import { expect, it } from 'vitest';
import { cleanSearch, MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS, splitSearch } from './incident-search';

it('a search is its distinct words in lower case', () => {
  expect(splitSearch('  Payments\tFAIL  fail ')).toEqual(['payments', 'fail']);
  expect(splitSearch(' \n ')).toEqual([]);
  expect(splitSearch('障害')).toEqual(['障害']);
});

it('its length and its words are bounded, and PostgreSQL can hold it', () => {
  expect(splitSearch('x'.repeat(5000))).toEqual(['x'.repeat(MAX_SEARCH_LENGTH)]);
  expect(splitSearch('a b c d e f g h i j k')).toHaveLength(MAX_SEARCH_WORDS);
  expect(splitSearch('a\0b')).toEqual(['ab']);
  const almost = 'x'.repeat(MAX_SEARCH_LENGTH - 1);
  expect(cleanSearch(` \0 ${almost}😀`), 'no half of a character').toBe(almost);
});
