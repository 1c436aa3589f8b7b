import { expect, it } from 'vitest';
import { backoffMs, parseDuration, parseRetryAfter, parseSleep } from './wait-time';

const NOW = new Date('2026-11-20T10:00:00Z');

it.each([
  ['1m30s', 90_000],
  ['1w2d3h', 788_400_000],
  ['', 0],
  ['soon', null],
])('a duration "%s" is %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

it('a sleep ends after a duration or at a moment, at once when that is past', () => {
  expect(parseSleep('10s', NOW)).toBe(10_000);
  expect(parseSleep('2026-11-20T10:01:00.000Z', NOW)).toBe(60_000);
  expect(parseSleep('2020-01-01T00:00:00.000Z', NOW)).toBe(0);
});

it('a Retry-After is seconds or a date', () => {
  expect(parseRetryAfter('7', NOW)).toBe(7000);
  expect(parseRetryAfter('2026-11-20T10:00:05.000Z', NOW)).toBe(5000);
  expect(parseRetryAfter(null, NOW)).toBeNull();
});

it('waits longer from attempt to attempt, at most 2 hours and a tenth', () => {
  expect(backoffMs(0)).toBeGreaterThanOrEqual(15_000);
  expect(backoffMs(0)).toBeLessThanOrEqual(16_500);
  expect(backoffMs(19)).toBeLessThanOrEqual(7_920_000);
});
