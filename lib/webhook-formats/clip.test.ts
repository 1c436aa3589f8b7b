import { expect, it } from 'vitest';
import { clip, clipLine } from './clip';

const same = (text: string) => text;
const escapeStars = (text: string) => text.replaceAll('*', '\\*').replaceAll('&', '&amp;');

it.each([
  ['12345', '12345'],
  ['123456', '1234…'],
  ['***', '\\*\\*…'],
  ['&&', '&amp;&amp;', 10],
  ['&&', '&amp;…', 9],
  ['&&', '…', 5],
  ['1🔥2🔥3', '1🔥2…'],
  ['1🔥🔥', '1🔥🔥'],
  ['1234🔥', '1234…'],
])('%j is shown as %j', (text, shown, maximum = 5) => {
  expect(clip(text, maximum, escapeStars)).toBe(shown);
});

it.each(['', ' \n ', '\u202e', '\0'])('%j, which shows nothing, becomes a dash', (text) => {
  expect(clip(text, 5, same)).toBe('–');
});

it('every kind of line break is kept as one, other control characters are not', () => {
  expect(clip(' a\r\nb\rc\u2028d\u2029e\n\nf\u0007 g\u202e h\u2066 i ', 100, same)).toBe(
    'a\nb\nc\nd\ne\n\nf g h i',
  );
});

it('on one line, white space of any kind and length is one space', () => {
  expect(clipLine('a\r\n \tb\u2028c', 100, same)).toBe('a b c');
});
