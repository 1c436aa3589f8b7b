import { expect, it } from 'vitest';
import { startMinuteTicker } from './minute-ticker';
import { createManualTime } from './testing/manual-timers';

function startAt(start: string) {
  const time = createManualTime(new Date(start));
  const ticks: string[][] = [];
  const stop = startMinuteTicker({
    ...time,
    onMinutes: (minutes) => ticks.push(minutes.map((minute) => minute.toISOString().slice(11, 19))),
  });
  return { time, ticks, stop };
}

it('tells of each minute as it begins, but not of the one it was started in', () => {
  const { time, ticks } = startAt('2026-11-20T10:00:00.000Z');
  time.advance(59_999);
  expect(ticks).toEqual([]);
  time.advance(60_001);
  expect(ticks).toEqual([['10:01:00'], ['10:02:00']]);
});

it('tells of all that were missed together', () => {
  const { time, ticks } = startAt('2026-11-20T10:00:00.000Z');
  time.clock.advance(2 * 60_000);
  time.advance(60_000);
  expect(ticks).toEqual([['10:01:00', '10:02:00', '10:03:00']]);
});

it('tells of no minute twice when the clock is set back a little', () => {
  const { time, ticks } = startAt('2026-11-20T10:00:30.000Z');
  time.advance(30_000);
  time.clock.set(new Date('2026-11-20T10:00:58.000Z'));
  time.advance(61_999);
  expect(ticks).toEqual([['10:01:00']]);
  time.advance(1);
  expect(ticks).toEqual([['10:01:00'], ['10:02:00']]);
});

it('goes on from there when the clock is set back by an hour', () => {
  const { time, ticks } = startAt('2026-11-20T10:00:30.000Z');
  time.clock.set(new Date('2026-11-20T09:00:30.000Z'));
  time.advance(30_000);
  expect(ticks).toEqual([]);
  time.advance(60_000);
  expect(ticks).toEqual([['09:02:00']]);
});

it('tells of nothing once stopped', () => {
  const { time, ticks, stop } = startAt('2026-11-20T10:00:00.000Z');
  stop();
  time.advance(180_000);
  expect(ticks).toEqual([]);
  expect(time.waits()).toEqual([]);
});
