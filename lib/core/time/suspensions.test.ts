import { expect, it, onTestFinished, vi } from 'vitest';
import { watchSuspensions } from './suspensions';

/** A watch of a process whose clocks are turned by hand. */
function openWatch() {
  const time = { monotonic: 0, wall: 1_700_000_000_000, cpu: 0 };
  const lengths: number[] = [];
  const watch = watchSuspensions((ms) => lengths.push(ms), {
    monotonic: () => time.monotonic,
    wall: () => time.wall,
    cpu: () => time.cpu,
  });
  onTestFinished(watch.stop);
  const pass = (ms: number, { wall = ms, cpu = 0 } = {}) => {
    time.monotonic += ms;
    time.wall += wall;
    time.cpu += cpu;
  };
  return { watch, lengths, pass };
}

it('a process that got no processor time while its timers were due was suspended', () => {
  const { watch, lengths, pass } = openWatch();
  pass(8000, { cpu: 20 });
  expect(watch.count()).toBe(1);
  expect([lengths, watch.stalls()]).toEqual([[8000], 0]);
  expect(watch.count()).toBe(1);
});

it.each([
  ['a machine that slept', 60_000],
  ['a clock that was set back', -60_000],
])('%s is seen by a jump of the wall clock against the monotonic one', (_, jump) => {
  const { watch, lengths, pass } = openWatch();
  pass(100, { wall: 100 + jump });
  expect(watch.count()).toBe(1);
  expect(lengths).toEqual([60_000]);
});

it('a process that kept its own event loop busy stalled, and was not suspended', () => {
  const { watch, lengths, pass } = openWatch();
  pass(3000, { cpu: 2900 });
  expect([watch.count(), watch.stalls(), lengths]).toEqual([0, 1, []]);
});

it('a pause of less than a second is neither, and several do not add up', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { watch, pass } = openWatch();
  for (let pause = 0; pause < 3; pause += 1) {
    pass(900);
    expect(watch.count()).toBe(0);
    vi.advanceTimersByTime(250);
  }
  expect(watch.stalls()).toBe(0);
});
