import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  // Only what the clock uses: connections that earlier tests of this process left idle have timeouts of their own.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
});

const at = (text: string) => Date.parse(text);

it('advances from the time that came with the page and notifies every subscriber', async () => {
  const { setPageClock, watchPageClock, readPageClock } = await import('./page-clock');
  expect(readPageClock()).toBeNull();
  const [one, other] = [vi.fn(), vi.fn()];
  const stops = [watchPageClock(one), watchPageClock(other)];
  setPageClock('2026-11-21T12:00:00.000Z');
  vi.advanceTimersByTime(3000);
  expect(readPageClock()).toBe(at('2026-11-21T12:00:03.000Z'));
  expect([one.mock.calls.length, other.mock.calls.length]).toEqual([4, 4]);
  expect(vi.getTimerCount()).toBe(1);
  for (const stop of stops) stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('is not set back by a cached page', async () => {
  const { setPageClock, readPageClock } = await import('./page-clock');
  setPageClock('2026-11-21T12:00:00.000Z');
  vi.advanceTimersByTime(60_000);
  setPageClock('2026-11-21T12:00:00.000Z');
  setPageClock('2026-11-21T12:01:00.500Z');
  expect(readPageClock()).toBe(at('2026-11-21T12:01:00.500Z'));
});
