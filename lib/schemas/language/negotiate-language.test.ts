import { expect, it } from 'vitest';
import { negotiateLanguage } from './negotiate-language';

it.each([
  [null, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['pt-BR', 'pt'],
  ['nl,fr;q=0.7,de;q=0.5', 'fr'],
  ['en;q=0.2,ja;q=0.9', 'ja'],
  ['es;q=0,en;q=0.1', 'en'],
  ['nl', 'en'],
  ['not a header; q=x', 'en'],
])('%j gets %s', (header, language) => {
  expect(negotiateLanguage(header)).toBe(language);
});
