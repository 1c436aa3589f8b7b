import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readCount } from '../playground';

export type Options = {
  monitors: number;
  /** Seconds between two checks of a monitor. */
  interval: number;
  /** Seconds that are measured, after a warm-up of one interval. */
  seconds: number;
  /** Whether only Inngest wakes, without a worker under the embedded driver beside. */
  alone: boolean;
  /** Whether the server forgets everything for the middle third. */
  wipe: boolean;
  /** The program of a real Inngest server; null: the one of the tests plays it. */
  inngest: string | null;
  /** Deliveries whose first tries are refused; the retries take six minutes. */
  deliveries: number;
  /** Where drivers.md is written; null: only printed. */
  out: string | null;
};

export const USAGE = `usage: node bench/run.mjs drivers [options]
  --monitors N   how many monitors (1000)
  --interval N   seconds between two checks of a monitor (30)
  --seconds N    seconds measured after one interval of warm-up (180)
  --alone        no embedded driver beside: Inngest alone wakes
  --no-wipe      the Inngest server stays there; else it is gone for the middle third, and has forgotten everything
  --inngest PATH a real server: the program of a self-hosted Inngest, started and wiped here
  --deliveries N deliveries whose first two tries are refused (0); their retries take six minutes: --seconds 480
  --out DIR      where drivers.md, or inngest.md, is written (docs/benchmarks, for the default size only)
`;

const FULL = { monitors: 1000, interval: 30, seconds: 180 };

/** Reads the command line. Throws where it is wrong. */
export function readOptions(words: string[], root: string): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: words,
    options: {
      monitors: text,
      interval: text,
      seconds: text,
      deliveries: text,
      inngest: text,
      out: text,
      alone: flag,
      'no-wipe': flag,
    },
  });
  const read = (name: keyof typeof FULL) => readCount(name, values[name] ?? FULL[name]);
  const size = { monitors: read('monitors'), interval: read('interval'), seconds: read('seconds') };
  const isFull = Object.entries(FULL).every(([name, value]) => size[name as keyof typeof size] === value);
  const { alone } = values;
  const wipe = !values['no-wipe'];
  const inngest = values.inngest === undefined ? null : resolve(values.inngest);
  const deliveries = readCount('deliveries', values.deliveries ?? 0, 0);
  const isDefault = isFull && !alone && wipe && inngest === null && deliveries === 0;
  const out = values.out ?? (isDefault ? join(root, 'docs', 'benchmarks') : null);
  return { ...size, alone, wipe, inngest, deliveries, out };
}
