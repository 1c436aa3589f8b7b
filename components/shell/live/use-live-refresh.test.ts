import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRefreshPacer } from './use-live-refresh';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A pacer of a page rendered just now, and the number of refreshes; each takes `tookMs`. */
function begin({ tookMs = 10 } = {}) {
  let count = 0;
  const refresh = async () => {
    count += 1;
    await new Promise((resolve) => setTimeout(resolve, tookMs));
  };
  return { pacer: createRefreshPacer(refresh), refreshed: () => count };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('refreshes soon, and once for changes that come together', async () => {
  const { pacer, refreshed } = begin();
  await pass(3000);
  for (let count = 0; count < 20; count++) pacer.soon();
  await pass(199);
  expect(refreshed()).toBe(0);
  await pass(1);
  expect(refreshed()).toBe(1);
  await pass(10_000);
  expect(refreshed()).toBe(1);
});

it('refreshes at most once a second', async () => {
  const { pacer, refreshed } = begin();
  for (let count = 0; count < 100; count++) {
    pacer.soon();
    await pass(100);
  }
  expect(refreshed()).toBeGreaterThanOrEqual(8);
  expect(refreshed()).toBeLessThanOrEqual(10);
});

it('refreshes every five seconds for changes that can wait', async () => {
  const { pacer, refreshed } = begin();
  for (let count = 0; count < 190; count++) {
    pacer.later();
    await pass(100);
  }
  expect(refreshed()).toBe(3);
});

it('urgent changes do not wait for those that can', async () => {
  const { pacer, refreshed } = begin();
  pacer.later();
  pacer.soon();
  await pass(1000);
  expect(refreshed()).toBe(1);
});

it('refreshes a slow page less often, within limits', async () => {
  const { pacer, refreshed } = begin({ tookMs: 800 });
  for (let count = 0; count < 70; count++) {
    pacer.soon();
    await pass(100);
  }
  expect(refreshed()).toBe(3);
  for (let count = 0; count < 100; count++) {
    pacer.later();
    await pass(100);
  }
  expect(refreshed(), 'one more soon, and one eight seconds after it').toBe(5);

  const slow = begin({ tookMs: 4000 });
  for (let count = 0; count < 200; count++) {
    slow.pacer.soon();
    await pass(100);
  }
  expect(slow.refreshed()).toBe(4);
});

it('refreshes again for changes during a refresh', async () => {
  const { pacer, refreshed } = begin({ tookMs: 100 });
  await pass(1000);
  pacer.soon();
  await pass(250);
  expect(refreshed()).toBe(1);
  pacer.soon();
  await pass(5000);
  expect(refreshed()).toBe(2);
});

it('does not refresh once it is stopped', async () => {
  const { pacer, refreshed } = begin();
  pacer.soon();
  pacer.stop();
  pacer.soon();
  await pass(10_000);
  expect(refreshed()).toBe(0);
});
