import { expect, it } from 'vitest';
import { pageCacheControl } from './caching';

it.each([
  [120_000, 10, 60],
  [70_000, 10, 60],
  [69_999, 10, 59],
  [12_500, 10, 2],
  [9_999, 9, 0],
  [999, 0, 0],
  [-5_000, 0, 0],
])(
  'a copy of a page that changes in %i ms is fresh for %i s, and stale for %i s more',
  (left, fresh, stale) => {
    expect(pageCacheControl({ until: 1_000_000 + left, now: 1_000_000 })).toBe(
      `public, s-maxage=${fresh}, stale-while-revalidate=${stale}`,
    );
  },
);

it('a page without an announcement is kept for 70 s', () => {
  expect(pageCacheControl()).toBe('public, s-maxage=10, stale-while-revalidate=60');
});
