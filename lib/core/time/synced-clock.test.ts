import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSyncedClock } from './synced-clock';

const [START, MINUTE] = [1_700_000_000_000, 60_000];

/** A clock on a machine whose time is `offMs` ahead of that of the service, and can be changed. */
async function begin(offMs: number) {
  let now = START;
  let off = offMs;
  const local = () => now + off;
  const clock = createSyncedClock(async () => now, local);
  await clock.measure();
  return {
    clock,
    local,
    isRight: () => clock.now().getTime() - now,
    pass: (ms: number, driftMs = 0) => {
      now += ms;
      off += driftMs;
    },
    theirs: () => now,
  };
}

describe('a synced clock', () => {
  it('is corrected by the next response, before it is measured again', async () => {
    const { clock, isRight, pass, local, theirs } = await begin(10 * MINUTE);
    expect(isRight()).toBe(0);
    pass(MINUTE, -7 * MINUTE);
    expect(isRight()).toBe(-7 * MINUTE);
    const before = local();
    pass(200);
    clock.note({ before, after: local(), theirs: theirs() });
    expect(isRight()).toBe(0);
  });

  it('is measured at once after its machine slept, while its own time stood still', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let [now, local] = [START, START];
    const clock = createSyncedClock(
      async () => now,
      () => local,
      () => now,
    );
    await clock.measure();
    onTestFinished(clock.follow());
    now += 10 * MINUTE;
    local += 1;
    await vi.advanceTimersByTimeAsync(2000);
    expect(clock.now().getTime()).toBe(now);
  });

  it('keeps an offset that a slow response does not disprove', async () => {
    const { clock, isRight, pass, local, theirs } = await begin(-MINUTE);
    const before = local();
    pass(3000);
    clock.note({ before, after: local(), theirs: theirs() - 2900 });
    expect(isRight()).toBe(0);
  });

  it('corrects times between two measurements by the drift, and no others', async () => {
    const { clock, pass, theirs, local } = await begin(MINUTE);
    const read = () => ({ at: clock.now().getTime(), offset: clock.offsetMs(), was: theirs() });
    pass(30 * MINUTE, 1000);
    const middle = read();
    expect(middle.at - middle.was).toBe(1000);
    expect(clock.correct(middle.at, middle.offset)).toBe(middle.at);
    pass(30 * MINUTE, 1000);
    await clock.measure();
    expect(clock.correct(middle.at, middle.offset)).toBe(middle.was);
    const later = read();
    pass(MINUTE);
    expect(clock.correct(later.at + MINUTE, later.offset)).toBe(local() + clock.offsetMs());
  });
});
