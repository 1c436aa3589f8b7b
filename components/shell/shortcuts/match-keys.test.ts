import { expect, it } from 'vitest';
import { matchKeys } from './registry';

const KEYS = ['j', 'm', 'g m', 'g ,'];

it('a single key is found', () => {
  expect(matchKeys(KEYS, null, 'j')).toEqual({ found: 'j', pending: null });
});

it('an unassigned key is not found', () => {
  expect(matchKeys(KEYS, null, 'q')).toEqual({ found: null, pending: null });
});

it('the first key of a pair waits, and the second finds it', () => {
  expect(matchKeys(KEYS, null, 'g')).toEqual({ found: null, pending: 'g' });
  expect(matchKeys(KEYS, 'g', 'm'), 'and not the m alone').toEqual({ found: 'g m', pending: null });
  expect(matchKeys(KEYS, 'g', ',')).toEqual({ found: 'g ,', pending: null });
});

it('after a first key, one that does not complete a pair counts on its own', () => {
  expect(matchKeys(KEYS, 'g', 'j')).toEqual({ found: 'j', pending: null });
  expect(matchKeys(KEYS, 'g', 'g')).toEqual({ found: null, pending: 'g' });
});
