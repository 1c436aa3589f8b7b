import { expect, it } from 'vitest';
import { splitByLength } from './queue-deliveries';

it('what is queued for many endpoints is written in statements of a bounded size, in its order', () => {
  const rows = [3, 3, 5, 11, 2, 8, 1].map((length, place) => ({ place, payload: 'x'.repeat(length) }));
  const batches = splitByLength(rows, 10);
  expect(batches.map((batch) => batch.map(({ payload }) => payload.length))).toEqual([
    [3, 3],
    [5],
    [11],
    [2, 8],
    [1],
  ]);
  expect(batches.flat()).toEqual(rows);
  expect(splitByLength([], 10)).toEqual([]);
});
