import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemTimers } from './timers';

const DAY_MS = 24 * 60 * 60 * 1000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('waits longer than setTimeout can', () => {
  const run = vi.fn();
  systemTimers.schedule(run, 40 * DAY_MS);
  vi.advanceTimersByTime(40 * DAY_MS - 1);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
});

it('can be called off at any time', () => {
  const run = vi.fn();
  const cancel = systemTimers.schedule(run, 40 * DAY_MS);
  vi.advanceTimersByTime(30 * DAY_MS);
  cancel();
  vi.advanceTimersByTime(30 * DAY_MS);
  expect(run).not.toHaveBeenCalled();
});
