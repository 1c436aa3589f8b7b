import { expect, it } from 'vitest';
import { fits, readIntent } from './commands';

it.each([
  ['', { deed: 'open', sought: '' }],
  ['  shop ', { deed: 'open', sought: 'shop' }],
  ['pause shop', { deed: 'pause', sought: 'shop' }],
  ['Resume  shop eu', { deed: 'resume', sought: 'shop eu' }],
  ['pause ', { deed: 'pause', sought: '' }],
  ['pause', { deed: 'open', sought: 'pause' }],
  ['pauseshop', { deed: 'open', sought: 'pauseshop' }],
])('“%s” is read as what it asks for', (typed, expected) => {
  expect(readIntent(typed)).toEqual(expected);
});

it('all words have to be there, in any order and any case', () => {
  expect(fits('New status page', 'page new')).toBe(true);
  expect(fits('New status page', '')).toBe(true);
  expect(fits('New status page', 'page old')).toBe(false);
});
