import type { Curve, Observations } from '../observations';
import type { Violation } from './violation';

/** Caches fill and code is compiled in the first ten minutes of real time. */
const WARM_UP_S = 600;
/** The beginning and the end that are compared, and what may lie between them. */
const WINDOW_S = 600;
const GROWTH = 1.1;
/** What a value may grow anyway: by a garbage collection, or some connections in use. */
const SLACK: [RegExp, number][] = [
  [/^memory/, 10],
  [/^handles|^connections/, 8],
  [/^partitions/, 2],
];

/** In a run of an hour, nothing grows after the first ten minutes. */
export function checkCurves({ curves }: Observations): Violation[] {
  return curves.flatMap((curve): Violation[] => {
    const growth = measureGrowth(curve);
    if (!growth) return [];
    const slack = SLACK.find(([pattern]) => pattern.test(curve.name))?.[1] ?? 0;
    if (growth.last <= growth.first * GROWTH + slack) return [];
    return [
      {
        rule: 'nothing grows',
        object: curve.name,
        message: `${growth.first} after the first ten minutes, ${growth.last} in the last ten`,
        history: curve.points
          .filter((_, index) => index % Math.ceil(curve.points.length / 20) === 0)
          .map(({ second, value }) => `${second} s: ${value}`),
      },
    ];
  });
}

/** Medians of the ten minutes after the first ten, and of the last ten; null for a shorter run. */
export function measureGrowth({ points }: Curve): { first: number; last: number } | null {
  const end = points.at(-1)?.second ?? 0;
  if (end < WARM_UP_S + 2 * WINDOW_S) return null;
  const within = (from: number) =>
    median(
      points.filter(({ second }) => from <= second && second <= from + WINDOW_S).map(({ value }) => value),
    );
  return { first: within(WARM_UP_S), last: within(end - WINDOW_S) };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
