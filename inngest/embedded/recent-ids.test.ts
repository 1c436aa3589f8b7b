import { expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/clock';
import { createRecentIds } from './recent-ids';

it('knows an id until its time is over, counted from when it was first noted', () => {
  const clock = createManualClock(new Date(0));
  const ids = createRecentIds({ clock, forMs: 1000, atMost: 10 });
  expect(ids.hasSeen('a')).toBe(false);
  clock.advance(999);
  expect(ids.hasSeen('a')).toBe(true);
  clock.advance(1);
  expect(ids.hasSeen('a')).toBe(false);
  expect(ids.hasSeen('a')).toBe(true);
});

it('forgets the oldest when it is full', () => {
  const ids = createRecentIds({ clock: createManualClock(new Date(0)), forMs: 1000, atMost: 2 });
  for (const id of ['a', 'b', 'c']) ids.hasSeen(id);
  expect(['c', 'b'].map(ids.hasSeen)).toEqual([true, true]);
  expect(ids.hasSeen('a')).toBe(false);
});
