import { expect, it } from 'vitest';
import type { Rule } from '@/lib/schemas/webhooks/rules';
import { EMPTY_RULE, formatRule } from './rule-texts';

const NAMES = new Map([['mon_1', 'Shop']]);
const schedule = { days: [], from: '22:00', to: '06:00', timeZone: 'America/New_York' };

it.each<[Partial<Rule>, string]>([
  [{ tags: ['shop'] }, 'tag shop'],
  [{ tags: ['a', 'b', 'c', 'd', 'e'] }, 'tags a, b, c, or 2 more'],
  [{ monitors: ['mon_1', 'mon_2'] }, 'Shop or a deleted monitor'],
  [{ severities: ['major', 'critical'], kinds: ['monitor.down'] }, 'major or critical · monitor.down'],
  [{ schedule }, 'daily 22:00–06:00 (America/New York)'],
  [{ schedule: { ...schedule, days: ['monday', 'sunday'] } }, 'Mon, Sun 22:00–06:00 (America/New York)'],
])('%j is a line', (rule, text) => {
  expect(formatRule({ ...EMPTY_RULE, ...rule }, NAMES)).toBe(text);
});

it('names what members are emailed about', () => {
  const rule: Rule = { ...EMPTY_RULE, kinds: ['monitor.down', 'monitor.up'] };
  expect(formatRule(rule, NAMES, true)).toBe('Outages or Recoveries');
});
