import { expect, it } from 'vitest';
import { findPhrases } from './phrases.mjs';

it('finds phrases in any case, across lines of a comment, with their line', () => {
  const text = 'const a = 1;\n// It restarts\n// what crashed. Decide by code.\n';
  expect(findPhrases([['a.ts', text]])).toEqual([
    'a.ts:2 "restarts // what" is an old phrase: restarts crashed processes',
    'a.ts:3 "Decide by code" is an old phrase: branch on code',
  ]);
});

it('finds renamed identifiers, and ignores parts of other words', () => {
  expect(findPhrases([['a.ts', 'COUNTED_AT_MOST']])).toHaveLength(1);
  expect(findPhrases([['a.ts', 'spokesman-like, ALMOST_']])).toEqual([]);
});

it('leaves native English alone: what follows a number or a condition', () => {
  const native = 'Two of which fail. Each of which is one. Null if none is due.';
  expect(findPhrases([['a.md', native]])).toEqual([]);
  const translated = 'A page of which nothing is known. None is kept, as of its own.';
  expect(findPhrases([['a.md', translated]])).toHaveLength(3);
});

it('may be quoted by the glossary', () => {
  expect(findPhrases([['ARCHITECTURE.md', 'as it were']])).toEqual([]);
});
