import { expect, it } from 'vitest';
import { LANGUAGES, type Language } from '@/lib/schemas/language';

/** English texts that are right in other languages too, and why. */
type Copies = Record<string, { in: Language[]; because: string }>;

/** The forms of a plural text by category; of another text, only `text`. */
type Forms = Record<string, string>;

const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** Tests a set of texts: every language has the same texts with the same placeholders, all its plural forms, and no text in English. */
export function describeTexts(set: Record<Language, unknown>, copies: Copies = {}): void {
  it.each(LANGUAGES)('the texts in %s are complete and translated', (language) => {
    expect(findTextProblems(set, language, copies)).toEqual([]);
  });
}

/** What is wrong with the texts in a language, one sentence each. */
export function findTextProblems(
  set: Record<Language, unknown>,
  language: Language,
  copies: Copies = {},
): string[] {
  const english = new Map(listTexts(set.en));
  const texts = new Map(listTexts(set[language]));
  const copied = Object.keys(copies).filter((text) => copies[text]?.in.includes(language));
  const written = [...texts.values()].flatMap((forms) => Object.values(forms));
  return [
    ...[...english.keys()].filter((path) => !texts.has(path)).map((path) => `${path} is missing`),
    ...[...texts].flatMap(([path, forms]) => {
      const original = english.get(path);
      if (original === undefined) return [`${path} does not exist in English`];
      const needed = 'other' in original ? categoriesOf(language) : ['text'];
      const had = Object.keys(forms).toSorted();
      return had.join() === needed.join()
        ? Object.entries(forms).flatMap(([form, text]) => {
            const problem = judge(text, original[form] ?? original.other ?? '', language, copied);
            return problem === null ? [] : [`${path}${form === 'text' ? '' : `/${form}`} ${problem}`];
          })
        : [`${path} must have the forms ${needed}, not ${had}`];
    }),
    ...copied
      .filter((text) => !written.includes(text))
      .map((text) => `“${text}” is listed as a copy, but is none`),
  ];
}

function judge(text: string, original: string, language: Language, copied: string[]): string | null {
  if (text.trim() === '') return 'is empty';
  const [own, needed] = [placeholdersOf(text), placeholdersOf(original)];
  if (own !== needed) return `must have the placeholders ${needed || 'none'}, not ${own || 'none'}`;
  const hasWords = /\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ''));
  if (language === 'en' || !hasWords || text !== original || copied.includes(text)) return null;
  return 'is in English: translate it, or list it with a reason';
}

/** Every text with its path. */
function listTexts(value: unknown, path = ''): [string, Forms][] {
  if (typeof value === 'string') return [[path, { text: value }]];
  const entries = Object.entries(value as object);
  const isPlural = entries.length > 0 && entries.every(([key]) => CATEGORIES.includes(key));
  if (isPlural) return [[path, Object.fromEntries(entries)]];
  return entries.flatMap(([key, inner]) => listTexts(inner, path === '' ? key : `${path}/${key}`));
}

/** The categories of whole numbers below a thousand, and `other`, which a million has if it is of one more. */
function categoriesOf(language: Language): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set([...Array.from({ length: 1000 }, (_, n) => rules.select(n)), 'other'])].toSorted();
}

function placeholdersOf(text: string): string {
  return (text.match(/\{\w+\}/g) ?? []).toSorted().join(' ');
}
