import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCount } from '../playground';

export type Options = {
  monitors: number;
  /** Seconds between two checks of a monitor. */
  interval: number;
  /** Seconds that are measured, after a warm-up of one interval. */
  seconds: number;
  /** Seconds after which a check of a target that hangs is given up. */
  timeout: number;
  /** One in so many targets hangs. */
  hangingEvery: number;
  /** Where the figures are written; null: only printed. */
  out: string | null;
  /** Where the worker leaves a CPU profile; null: none is taken. */
  profile: string | null;
};

export const USAGE = `usage: node bench/run.mjs checks [options]
  --monitors N   how many monitors (10000)
  --interval N   seconds between two checks of a monitor (60)
  --seconds N    seconds measured after one interval of warm-up (180)
  --out DIR      where checks.md and checks.json are written (docs/benchmarks, for the default size only)
  --profile DIR  where the worker leaves a CPU profile
`;

const FULL = { monitors: 10_000, interval: 60, seconds: 180 };

/** Reads the command line. Throws where it is wrong. */
export function readOptions(words: string[], root: string): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: words,
    options: { monitors: text, interval: text, seconds: text, out: text, profile: text },
  });
  const size = {
    monitors: readCount('monitors', values.monitors ?? FULL.monitors),
    interval: readCount('interval', values.interval ?? FULL.interval),
    seconds: readCount('seconds', values.seconds ?? FULL.seconds),
  };
  const isFull = Object.entries(FULL).every(([name, value]) => size[name as keyof typeof size] === value);
  return {
    ...size,
    timeout: 30,
    hangingEvery: 100,
    out: values.out ?? (isFull ? join(root, 'docs', 'benchmarks') : null),
    profile: values.profile ?? null,
  };
}
