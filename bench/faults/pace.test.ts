import { expect, it } from 'vitest';
import { choosePace, choosePaceAfter } from './pace';

it('a slower machine lives as much more slowly, and never more slowly than real time', () => {
  expect([1, 1.9, 4, 30].map((slowness) => choosePace(20, slowness))).toEqual([20, 11, 5, 1]);
});

const late = {
  rule: 'health is 200 outside faults',
  object: 'web 1',
  message: '',
  history: [],
  dependsOnPace: true as const,
};
const wrong = { rule: 'no false alarm', object: 'mon_1', message: '', history: [] };

it('what is only late is judged again at half the pace, down to real time, and is then broken', () => {
  expect([10, 5, 2, 1].map((pace) => choosePaceAfter([late], pace))).toEqual([5, 2, 1, null]);
  expect(choosePaceAfter([wrong, late], 10)).toBe(5);
});

it('what is wrong at any pace is judged once, as is what kept every promise', () => {
  expect(choosePaceAfter([wrong], 10)).toBeNull();
  expect(choosePaceAfter([], 10)).toBeNull();
});
