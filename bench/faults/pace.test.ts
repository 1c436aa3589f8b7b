import { expect, it } from 'vitest';
import { choosePace } from './virtual-time';

it('a slower machine lives as much more slowly, and never more slowly than real time', () => {
  expect([1, 1.9, 4, 30].map((slowness) => choosePace(20, slowness))).toEqual([20, 11, 5, 1]);
});
