import { expect, it } from 'vitest';
import { LANGUAGES } from '@/lib/schemas/language';
import { describeTexts } from '@/lib/testing/describe-texts';
import { PAGE_TEXTS, pageWords } from '.';

describeTexts(PAGE_TEXTS, {
  '{n} incident': { in: ['fr'], because: 'the same word' },
  '{n} incidents': { in: ['fr'], because: 'the same word' },
});

it.each(LANGUAGES)('emails in %s list numbers of things', (language) => {
  const { texts, plural, list } = pageWords(language);
  expect(list([plural(texts.incidents, 1), plural(texts.windows, 2)])).toMatch(/1.*2/);
});

it('an unsupported language falls back to English', () => {
  expect(pageWords('tlh').language).toBe('en');
});
