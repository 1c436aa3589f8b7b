import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCount } from '../playground';

export type Options = {
  monitors: number;
  /** Seconds between two checks of a monitor. */
  interval: number;
  /** Measured seconds, after a warm-up of one interval. */
  seconds: number;
  /** Timeout of checks, in seconds. */
  timeout: number;
  /** One in this many targets hangs. */
  hangingEvery: number;
  /** Output directory; null: print only. */
  out: string | null;
  /** Directory for a CPU profile of the worker; null: none. */
  profile: string | null;
};

export const USAGE = `usage: node bench/run.mjs checks [options]
  --monitors N   number of monitors (10000)
  --interval N   seconds between two checks of a monitor (60)
  --seconds N    seconds measured after one interval of warm-up (180)
  --out DIR      output directory (default: docs/benchmarks, only for the default size)
  --profile DIR  write a CPU profile of the worker here
`;

const FULL = { monitors: 10_000, interval: 60, seconds: 180 };

/** Parses the command line. Throws if it is invalid. */
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
