import { describe, expect, it } from 'vitest';
import { PAGE_SENTENCES } from '@/lib/schemas/status-pages/page-state';
import { describeTexts } from '@/lib/testing/describe-texts';
import { translatorOf } from '../translator';
import { MESSAGES } from '.';

describeTexts(MESSAGES, {
  Webhook: { in: ['de', 'fr', 'es', 'ja', 'pt'], because: 'the technical term' },
  Slack: { in: ['de', 'fr', 'es', 'ja', 'pt'], because: 'a product' },
  Feed: { in: ['de', 'pt'], because: 'the usual word' },
  'Q{n} {year}': { in: ['de'], because: 'the usual abbreviation' },
  Maintenance: { in: ['fr'], because: 'the same word' },
  Incidents: { in: ['fr'], because: 'the same word' },
  '{n} incident': { in: ['fr'], because: 'the same word' },
  '{n} incidents': { in: ['fr'], because: 'the same word' },
  'Powered by {name}': { in: ['ja'], because: 'customary in English' },
});

it('pages state in English what badges and the API do', () => {
  expect(MESSAGES.en.banner).toEqual(PAGE_SENTENCES);
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
