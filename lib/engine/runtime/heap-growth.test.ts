import { expect, it } from 'vitest';
import { growthPercent } from './heap-growth';

const MB = 1024 * 1024;

it('a heap may grow by 24 MB, but at least by a fifth and at most to twice its size', () => {
  expect(growthPercent(16 * MB)).toBe(100);
  expect(growthPercent(48 * MB)).toBe(50);
  expect(growthPercent(96 * MB)).toBe(25);
  expect(growthPercent(800 * MB)).toBe(20);
});
