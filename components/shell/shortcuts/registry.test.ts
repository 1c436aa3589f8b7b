import { describe, expect, it } from 'vitest';
import { isCharacter, type Keys, matchKeys, readKeystroke } from './registry';

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const read = (key: string, more: Partial<Keys> = {}) => readKeystroke({ key, code: '', ...NONE, ...more });

describe('a keystroke is named', () => {
  it.each([
    ['a letter', read('j'), 'j'],
    ['a letter under caps lock, as without', read('J'), 'j'],
    ['a letter with shift, distinct from that without', read('J', { shiftKey: true }), 'shift+j'],
    ['a symbol, however it is typed', read('?', { shiftKey: true }), '?'],
    ['a named key', read('Enter'), 'enter'],
    ['the space bar', read(' '), 'space'],
    ['with Ctrl', read('k', { ctrlKey: true }), 'mod+k'],
    ['with ⌘', read('k', { metaKey: true }), 'mod+k'],
    ['a letter of another script, by its position', read('о', { code: 'KeyJ' }), 'j'],
    ['with Alt, which types other characters', read('j', { altKey: true }), null],
    ['a modifier alone', read('Shift', { shiftKey: true }), null],
  ])('%s', (_, named, expected) => {
    expect(named).toBe(expected);
  });
});

it('characters are distinguished from other keys', () => {
  expect(['j', '?', 'shift+j'].map(isCharacter)).toEqual([true, true, true]);
  expect(['enter', 'escape', 'mod+k'].map(isCharacter)).toEqual([false, false, false]);
});

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
