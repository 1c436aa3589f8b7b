import { expect, it } from 'vitest';
import { checkCurves } from './curves';
import { perfectRun } from './testing/perfect-run';

/** A value sampled every five seconds of so many minutes. */
const sample = (minutes: number, valueAt: (minute: number) => number) => ({
  ...perfectRun(),
  curves: [
    {
      name: 'memory of web 1, MB',
      points: Array.from({ length: minutes * 12 }, (_, index) => ({
        second: index * 5,
        value: Math.round(valueAt(index / 12)),
      })),
    },
  ],
});

it('a value that keeps growing after the first ten minutes is found', () => {
  expect(checkCurves(sample(60, (minute) => 200 + minute))).toMatchObject([
    { rule: 'nothing grows', object: 'memory of web 1, MB' },
  ]);
});

it('a value that grows only while caches fill, or goes up and down, is not', () => {
  expect(checkCurves(sample(60, (minute) => Math.min(100 + 20 * minute, 280)))).toEqual([]);
  expect(checkCurves(sample(60, (minute) => 200 + 60 * Math.sin(7 * minute)))).toEqual([]);
});

it('a run shorter than half an hour is too short to judge', () => {
  expect(checkCurves(sample(20, (minute) => 200 * minute))).toEqual([]);
});
