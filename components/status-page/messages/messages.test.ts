import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '@/lib/schemas/language';
import { translatorOf } from '../translator';
import { MESSAGES } from '.';

/** Every text with its path; each plural form is a text of its own. */
function listTexts(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, inner]) => listTexts(inner, `${path}.${key}`));
}

const isPlural = (path: string) => /\.(zero|one|two|few|many)$/.test(path);
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const english = new Map(listTexts(MESSAGES.en));
  const texts = listTexts(MESSAGES[language]);

  it('are complete, not empty, and have the placeholders of the English ones', () => {
    const paths = texts.map(([path]) => path).filter((path) => !isPlural(path));
    expect(paths).toEqual([...english.keys()].filter((path) => !isPlural(path)));
    for (const [path, text] of texts) {
      expect(text.trim(), path).not.toBe('');
      const original = english.get(path) ?? english.get(path.replace(/\w+$/, 'other')) ?? '';
      expect(placeholders(text), path).toEqual(placeholders(original));
    }
  });

  it('are translated', () => {
    if (language === 'en') return;
    const same = texts.filter(([path, text]) => english.get(path) === text).map(([path]) => path);
    // Some words are the same in both languages.
    expect(same.length, same.join()).toBeLessThan(16);
  });

  it('have every plural form that the language uses for small numbers', () => {
    const rules = new Intl.PluralRules(language);
    for (const forms of [
      MESSAGES[language].daysAgo,
      MESSAGES[language].incidents,
      MESSAGES[language].daysWithIssues,
      MESSAGES[language].more,
      MESSAGES[language].openIncidentCount,
    ]) {
      const needed = new Set(Array.from({ length: 200 }, (_, n) => rules.select(n)));
      expect(Object.keys(forms).toSorted()).toEqual([...needed].toSorted());
    }
  });
});

describe('numbers and dates', () => {
  it.each([
    ['en', '99.90%', 'Nov 20, 2026', 'Nov 20, 2026, 14:03 UTC', '1 hr 5 min', '2 incidents'],
    ['de', '99,90 %', '20. Nov. 2026', '20. Nov. 2026, 14:03 UTC', '1 Std. 5 Min.', '2 Störungen'],
    ['fr', '99,90 %', '20 nov. 2026', '20 nov. 2026, 14:03 UTC', '1 h 5 min', '2 incidents'],
    ['es', '99,90 %', '20 nov 2026', '20 nov 2026, 14:03 UTC', '1 h 5 min', '2 incidentes'],
    ['ja', '99.90%', '2026年11月20日', '2026年11月20日 14:03 UTC', '1 時間 5 分', '障害 2 件'],
    ['pt', '99,90%', '20 de nov. de 2026', '20 de nov. de 2026, 14:03 UTC', '1 h 5 min', '2 incidentes'],
  ] as const)('are formatted for %s, in UTC', (language, percent, day, moment, duration, incidents) => {
    const t = translatorOf(language);
    const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');
    expect(plain(t.percent(99.9))).toBe(percent);
    expect(t.day('2026-11-20')).toBe(day);
    expect(plain(t.moment('2026-11-20T14:03:59.999Z'))).toBe(moment);
    expect(plain(t.duration(65 * 60_000))).toBe(duration);
    expect(t.plural(t.messages.incidents, 2)).toBe(incidents);
  });

  it.each([
    [0, '0 sec'],
    [59_999, '59 sec'],
    [60_000, '1 min'],
    [3_600_000, '1 hr'],
    [86_400_000 + 60_000, '1 day'],
    [86_400_000 * 2 + 3_600_000 * 3, '2 days 3 hr'],
  ])('%i ms is %s', (ms, written) => {
    expect(translatorOf('en').duration(ms)).toBe(written);
  });

  it('100% means 100%: nothing is rounded up', () => {
    const { percent } = translatorOf('en');
    expect([99.99, 100, 0].map(percent)).toEqual(['99.99%', '100%', '0.00%']);
  });
});
