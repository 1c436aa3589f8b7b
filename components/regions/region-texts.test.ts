import { expect, it } from 'vitest';
import { formatRate, isOlder } from './region-texts';

it('a version is older by its numbers, not by its text', () => {
  expect(isOlder('0.9.0', '0.10.0')).toBe(true);
  expect(isOlder('0.10.0', '0.10.0')).toBe(false);
  expect(isOlder('1.0.0', '0.10.0')).toBe(false);
});

it('the checks per second of a probe have as many digits as mean something', () => {
  expect([0, 0.254, 12.55, 340.7, 1234].map(formatRate)).toEqual(['0', '0.25', '12.6', '341', '1,234']);
});
