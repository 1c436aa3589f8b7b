import { expect, it } from 'vitest';
import { createGenerations } from './answer-store';

it('a purge makes old what began before it, of its tag only', () => {
  const generations = createGenerations();
  const before = generations.begin();
  generations.purge('sp_1');
  const after = generations.begin();
  expect(generations.isCurrent('sp_1', before)).toBe(false);
  expect(generations.isCurrent('sp_2', before)).toBe(true);
  expect(generations.isCurrent('sp_1', after)).toBe(true);
});

it('a purge of all makes everything old that began before it', () => {
  const generations = createGenerations();
  const before = generations.begin();
  generations.purge();
  expect(generations.isCurrent('sp_1', before)).toBe(false);
  expect(generations.isCurrent('sp_1', generations.begin())).toBe(true);
});

it('more tags than it remembers count as all', () => {
  const generations = createGenerations(2);
  const before = generations.begin();
  for (const tag of ['sp_1', 'sp_2', 'sp_3']) generations.purge(tag);
  expect(['sp_1', 'sp_2', 'sp_3', 'sp_4'].map((tag) => generations.isCurrent(tag, before))).toEqual(
    Array(4).fill(false),
  );
  expect(generations.isCurrent('sp_1', generations.begin())).toBe(true);
});
