import { expect, it } from 'vitest';
import { formatDuration, formatElapsed, formatTiming } from './duration';

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

it.each([
  [0, '0s'],
  [3_600_000, '1h'],
  [3_660_000, '1h 1m'],
  [86_400_000, '1d'],
  [10 * 86_400_000, '10d'],
])('%i ms is %s on a screen', (ms, text) => {
  expect(formatElapsed(ms)).toBe(text);
});

it.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [999.4, '999 ms'],
  [999.5, '1s'],
  [1254, '1.25s'],
  [5001, '5s'],
  [30_000, '30s'],
  [59_996, '1m'],
  [60_000, '1m'],
  [90_000, '1m 30s'],
  [3_599_999, '59m 59s'],
  [3_600_000, '1h'],
  [5_400_000, '1h 30m'],
  [86_400_000, '1d'],
  [183_600_000, '2d 3h'],
])('a timing of %f ms is formatted as %s', (ms, text) => {
  expect(formatTiming(ms)).toBe(text);
});
