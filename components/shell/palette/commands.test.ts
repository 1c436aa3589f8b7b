import { expect, it } from 'vitest';
import { fits, readIntent } from './commands';

it.each([
  ['', { action: 'open', query: '' }],
  ['  shop ', { action: 'open', query: 'shop' }],
  ['pause shop', { action: 'pause', query: 'shop' }],
  ['Resume  shop eu', { action: 'resume', query: 'shop eu' }],
  ['check shop', { action: 'check', query: 'shop' }],
  ['checkout shop', { action: 'open', query: 'checkout shop' }],
  ['pause ', { action: 'pause', query: '' }],
  ['pause', { action: 'open', query: 'pause' }],
  ['pauseshop', { action: 'open', query: 'pauseshop' }],
])('“%s” is parsed', (typed, expected) => {
  expect(readIntent(typed)).toEqual(expected);
});

it('all words must match, in any order and case', () => {
  expect(fits('New status page', 'page new')).toBe(true);
  expect(fits('New status page', '')).toBe(true);
  expect(fits('New status page', 'page old')).toBe(false);
});
