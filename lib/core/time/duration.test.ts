import { expect, it } from 'vitest';
import { formatDuration } from './duration';

it.each([
  [0, '0s'],
  [45_999, '45s'],
  [60_000, '1m'],
  [12 * 60_000, '12m'],
  [59 * 60_000 + 59_999, '59m'],
  [65 * 60_000, '1h 5m'],
  [24 * 3_600_000, '1d 0h'],
  [51 * 3_600_000, '2d 3h'],
])('%i ms is formatted as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
