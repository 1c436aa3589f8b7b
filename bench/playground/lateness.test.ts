import { expect, it } from 'vitest';
import { assignChecks } from './lateness';

const grid = { intervalMs: 4000, phase: 0 };
const window = { from: 8000, until: 16_000 };
const count = (checkedAt: number[]) =>
  assignChecks(checkedAt, grid, window).map((slot) => slot.checkedAt.length);

it('a check counts for the slot that it began in, or that it was a little early for', () => {
  expect(count([4000, 8000, 11_970])).toEqual([1, 1]);
  expect(assignChecks([4000, 8100, 12_020], grid, window)).toEqual([
    { dueAt: 8000, checkedAt: [8100] },
    { dueAt: 12_000, checkedAt: [12_020] },
  ]);
});

it('slots follow the phase of the monitor', () => {
  expect(assignChecks([], { intervalMs: 4000, phase: 2500 }, window).map(({ dueAt }) => dueAt)).toEqual([
    9000, 13_000,
  ]);
});

it('a slot without a check is missed, one with two is doubled', () => {
  expect(count([4000, 8000])).toEqual([1, 0]);
  expect(count([4000, 8000, 8500, 12_000])).toEqual([2, 1]);
  expect(count([4000, 7980, 8500, 12_000])).toEqual([2, 1]);
});

it('a check that is nearly an interval late does not count for the next slot, which is put off by half an interval', () => {
  expect(count([4000, 8000, 15_990])).toEqual([1, 1]);
  expect(count([7980, 9980, 12_000])).toEqual([1, 1]);
  expect(count([3980, 7980, 10_000, 12_000])).toEqual([1, 1]);
});

it('a slot before without a check excuses no second one', () => {
  expect(count([4000, 11_970, 11_985])).toEqual([0, 2]);
  expect(count([4000, 11_980, 12_010])).toEqual([0, 2]);
  const longer = { from: 8000, until: 20_000 };
  expect(
    assignChecks([4000, 11_980, 15_980, 16_005], grid, longer).map((slot) => slot.checkedAt.length),
  ).toEqual([1, 0, 2]);
});
