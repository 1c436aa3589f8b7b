import { expect, it } from 'vitest';
import { listUnits, readDuration, showDuration, splitDuration } from './duration';

it.each([
  [0, '0,minutes'],
  [90, '90,seconds'],
  [300, '5,minutes'],
  [5400, '90,minutes'],
  [7200, '2,hours'],
  [86_400, '1,days'],
])('%d seconds are shown as %s, and read as they were', (seconds, shown) => {
  expect(showDuration(seconds)).toBe(shown);
  expect(readDuration(shown)).toBe(seconds);
});

it.each([
  ['1.5,hours', 5400],
  ['0.1,hours', 360],
  [' 5 ,minutes', 300],
  ['300', 18_000],
  [',minutes', ''],
  ['soon,days', 'soon'],
  ['1,5,hours', '1,5'],
])('what is typed as “%s” is read as %j', (typed, value) => {
  expect(readDuration(typed)).toBe(value);
});

it('has seconds to choose from only where they are in use', () => {
  expect(listUnits(splitDuration('5,minutes').unit)).toEqual(['minutes', 'hours', 'days']);
  expect(listUnits(splitDuration('90,seconds').unit)).toContain('seconds');
});
