import { expect, it, vi } from 'vitest';
import { memoizeByObject } from './memoize';

it('computes once per object, also if the result is null', () => {
  const compute = vi.fn(({ text }: { text: string }) => (text === '' ? null : text.length));
  const lengthOf = memoizeByObject(compute);
  const [empty, two] = [{ text: '' }, { text: 'ab' }];
  expect([empty, two, empty, two, { text: 'ab' }].map(lengthOf)).toEqual([null, 2, null, 2, 2]);
  expect(compute).toHaveBeenCalledTimes(3);
});
