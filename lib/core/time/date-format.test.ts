import { expect, it } from 'vitest';
import { dateFormat, MAX_FORMATS } from './date-format';
import { isTimeZone } from './zoned-time';

it('a time zone in ever new spellings does not fill the memory', () => {
  const name = 'america/argentina/buenos_aires';
  const spellings = Array.from({ length: 2 * MAX_FORMATS }, (_, bits) =>
    [...name].map((letter, index) => ((bits >> index) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
  const options = { timeZone: 'Europe/Berlin' };
  const known = dateFormat('en-US', options);
  expect(dateFormat('en-US', options)).toBe(known);
  for (const spelling of spellings) expect(isTimeZone(spelling)).toBe(true);
  expect(dateFormat('en-US', options), 'was discarded with the others').not.toBe(known);
});
