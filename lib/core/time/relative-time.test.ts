import { describe, expect, it } from 'vitest';
import { formatAgo, formatExact, formatUntil } from './duration';

const now = new Date('2026-11-20T14:03:07.250Z');
const earlier = (ms: number) => new Date(now.getTime() - ms);

describe('a past moment', () => {
  it.each([
    [0, 'just now'],
    [999, 'just now'],
    [12_000, '12s ago'],
    [6 * 3_600_000, '6h ago'],
    [65 * 60_000, '1h 5m ago'],
    [48 * 3_600_000, '2d ago'],
  ])('%d ms before is %s', (ms, words) => {
    expect(formatAgo(earlier(ms), now)).toBe(words);
  });

  it('in the future, because of clock skew, is now', () => {
    expect(formatAgo(earlier(-3000), now)).toBe('just now');
  });
});

describe('a future moment', () => {
  it.each([
    [-5000, 'now'],
    [999, 'now'],
    [45_000, 'in 45s'],
    [60 * 60_000, 'in 1h'],
    [65 * 60_000, 'in 1h 5m'],
  ])('in %d ms is %s', (ms, words) => {
    expect(formatUntil(earlier(-ms), now)).toBe(words);
  });
});

it('an exact moment names its zone', () => {
  expect(formatExact(now)).toBe('2026-11-20 14:03:07 UTC');
});
