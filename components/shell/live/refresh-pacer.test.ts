import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRefreshPacer } from './use-live-refresh';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A pacer of a page that was drawn just now, and how often it was drawn again; a drawing takes `tookMs`. */
function begin({ tookMs = 10 } = {}) {
  let count = 0;
  const refresh = async () => {
    count += 1;
    await new Promise((resolve) => setTimeout(resolve, tookMs));
  };
  return { pacer: createRefreshPacer(refresh), drawn: () => count };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('draws soon, and once for what comes together', async () => {
  const { pacer, drawn } = begin();
  await pass(3000);
  for (let count = 0; count < 20; count++) pacer.soon();
  await pass(199);
  expect(drawn()).toBe(0);
  await pass(1);
  expect(drawn()).toBe(1);
  await pass(10_000);
  expect(drawn()).toBe(1);
});

it('draws once a second at most, however often it is asked', async () => {
  const { pacer, drawn } = begin();
  for (let count = 0; count < 100; count++) {
    pacer.soon();
    await pass(100);
  }
  expect(drawn()).toBeGreaterThanOrEqual(8);
  expect(drawn()).toBeLessThanOrEqual(10);
});

it('draws what can wait every five seconds, from the moment when the page was fresh', async () => {
  const { pacer, drawn } = begin();
  for (let count = 0; count < 190; count++) {
    pacer.later();
    await pass(100);
  }
  expect(drawn()).toBe(3);
});

it('what should be seen at once does not wait for what can', async () => {
  const { pacer, drawn } = begin();
  pacer.later();
  pacer.soon();
  await pass(1000);
  expect(drawn()).toBe(1);
});

it('draws a page that takes long less often, but not too seldom', async () => {
  const { pacer, drawn } = begin({ tookMs: 800 });
  for (let count = 0; count < 70; count++) {
    pacer.soon();
    await pass(100);
  }
  expect(drawn()).toBe(3);
  for (let count = 0; count < 100; count++) {
    pacer.later();
    await pass(100);
  }
  expect(drawn(), 'one more soon, and one eight seconds after it').toBe(5);

  const slow = begin({ tookMs: 4000 });
  for (let count = 0; count < 200; count++) {
    slow.pacer.soon();
    await pass(100);
  }
  expect(slow.drawn()).toBe(4);
});

it('draws again for what came up while it drew', async () => {
  const { pacer, drawn } = begin({ tookMs: 100 });
  await pass(1000);
  pacer.soon();
  await pass(250);
  expect(drawn()).toBe(1);
  pacer.soon();
  await pass(5000);
  expect(drawn()).toBe(2);
});

it('draws no more once it is stopped', async () => {
  const { pacer, drawn } = begin();
  pacer.soon();
  pacer.stop();
  pacer.soon();
  await pass(10_000);
  expect(drawn()).toBe(0);
});
