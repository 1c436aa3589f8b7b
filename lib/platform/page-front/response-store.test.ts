import { expect, it } from 'vitest';
import { createGenerations } from './response-store';

it('a purge invalidates earlier reads of its tag only', () => {
  const generations = createGenerations();
  const before = generations.begin();
  generations.purge('sp_1');
  const after = generations.begin();
  expect(generations.isCurrent('sp_1', before)).toBe(false);
  expect(generations.isCurrent('sp_2', before)).toBe(true);
  expect(generations.isCurrent('sp_1', after)).toBe(true);
});

it('a purge of everything invalidates all earlier reads', () => {
  const generations = createGenerations();
  const before = generations.begin();
  generations.purge();
  expect(generations.isCurrent('sp_1', before)).toBe(false);
  expect(generations.isCurrent('sp_1', generations.begin())).toBe(true);
});

it('too many tags to track invalidate everything', () => {
  const generations = createGenerations(2);
  const before = generations.begin();
  for (const tag of ['sp_1', 'sp_2', 'sp_3']) generations.purge(tag);
  expect(['sp_1', 'sp_2', 'sp_3', 'sp_4'].map((tag) => generations.isCurrent(tag, before))).toEqual(
    Array(4).fill(false),
  );
  expect(generations.isCurrent('sp_1', generations.begin())).toBe(true);
});
