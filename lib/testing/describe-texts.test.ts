import { expect, it } from 'vitest';
import { findTextProblems } from './describe-texts';

const en = {
  greeting: 'Hello {name}',
  incidents: { one: '{n} incident', other: '{n} incidents' },
  page: { title: 'Status', 'incident.created': 'New incident', time: '{from} – {to}' },
};
const de = {
  greeting: 'Hallo {name}',
  incidents: { one: '{n} Störung', other: '{n} Störungen' },
  page: { title: 'Status', 'incident.created': 'Neue Störung', time: '{from} – {to}' },
};
const ja = { ...de, incidents: { other: '障害 {n} 件' } };
const set = { en, de, fr: de, es: de, ja, pt: de };
const copies = { Status: { in: ['de' as const, 'ja' as const], because: 'the same word' } };

it('finds nothing in good texts', () => {
  expect(findTextProblems(set, 'en', copies)).toEqual([]);
  expect(findTextProblems(set, 'de', copies)).toEqual([]);
  expect(findTextProblems(set, 'ja', copies)).toEqual([]);
});

it.each([
  ['a text is missing', { greeting: de.greeting, page: de.page }, ['incidents is missing']],
  ['there is one more', { ...de, status: 'Status' }, ['status does not exist in English']],
  ['a text is empty', { ...de, greeting: ' ' }, ['greeting is empty']],
  [
    'a placeholder has another name',
    { ...de, greeting: 'Hallo {Name}' },
    ['greeting must have the placeholders {name}, not {Name}'],
  ],
  [
    'a placeholder is missing in a plural form',
    { ...de, incidents: { one: 'Störung', other: '{n} Störungen' } },
    ['incidents/one must have the placeholders {n}, not none'],
  ],
  [
    'a plural form is missing',
    { ...de, incidents: { other: '{n} Störungen' } },
    ['incidents must have the forms one,other, not other'],
  ],
  [
    'a plural has one form that the language does not use',
    { ...de, incidents: { one: '{n} Störung', few: '{n} Störungen', other: '{n} Störungen' } },
    ['incidents must have the forms one,other, not few,one,other'],
  ],
  [
    'a plural is one text',
    { ...de, incidents: '{n} Störungen' },
    ['incidents must have the forms one,other, not text'],
  ],
  [
    'a text is in English',
    { ...de, page: { ...de.page, 'incident.created': 'New incident' } },
    ['page/incident.created is in English: translate it, or list it with a reason'],
  ],
  [
    'a listed copy was translated',
    { ...de, page: { ...de.page, title: 'Page' } },
    ['“Status” is listed as a copy, but is none'],
  ],
])('finds that %s', (_, broken, problems) => {
  expect(findTextProblems({ ...set, de: broken }, 'de', copies)).toEqual(problems);
});
