import { expect, it } from 'vitest';
import { assignChecks } from './lateness';

const grid = { step: 4000, offset: 0 };
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

it('a slot without a check is missed, one with two is doubled', () => {
  expect(count([4000, 8000])).toEqual([1, 0]);
  expect(count([4000, 8000, 8500, 12_000])).toEqual([2, 1]);
  expect(count([4000, 7980, 8500, 12_000])).toEqual([2, 1]);
});

it('a check that was late for its slot by nearly an interval is none of the next, which is put off by half of one', () => {
  expect(count([7980, 9980, 12_000])).toEqual([1, 1]);
  expect(count([4000, 8000, 15_990])).toEqual([1, 1]);
});
