import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '@/lib/schemas/language';
import { pageWords } from './';

/** Every text with its path; of plural forms, only the one that every language has. */
function listTexts(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object)
    .flatMap(([key, inner]) => listTexts(inner, `${path}/${key}`))
    .filter(([inner]) => !/\/(zero|one|two|few|many)$/.test(inner));
}

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(LANGUAGES)('emails to subscribers in %s', (language) => {
  const { texts, plural, list } = pageWords(language);

  it('have every text with the same placeholders as in English', () => {
    const english = listTexts(pageWords('en').texts);
    expect(listTexts(texts).map(([path]) => path)).toEqual(english.map(([path]) => path));
    const written = new Map(listTexts(texts));
    for (const [path, original] of english) {
      const text = written.get(path) ?? '';
      expect(text.trim(), path).not.toBe('');
      expect(placeholders(text), path).toEqual(placeholders(original));
    }
  });

  it('have every plural form that the language uses for small numbers', () => {
    const rules = new Intl.PluralRules(language);
    const needed = [...new Set(Array.from({ length: 200 }, (_, n) => rules.select(n)))].toSorted();
    expect(Object.keys(texts.incidents).toSorted()).toEqual(needed);
    expect(Object.keys(texts.windows).toSorted()).toEqual(needed);
    expect(list([plural(texts.incidents, 1), plural(texts.windows, 2)])).toMatch(/1.*2/);
  });
});

it('an unsupported language falls back to English', () => {
  expect(pageWords('tlh').language).toBe('en');
});
