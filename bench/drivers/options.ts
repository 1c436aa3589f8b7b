import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readCount } from '../playground';

export type Options = {
  monitors: number;
  /** Seconds between two checks of a monitor. */
  interval: number;
  /** Measured seconds, after a warm-up of one interval. */
  seconds: number;
  /** Whether only Inngest wakes workers, without a second worker under the embedded driver. */
  alone: boolean;
  /** Whether the server stops and loses its data for the middle third. */
  wipe: boolean;
  /** The program of a real Inngest server; null: use the test server. */
  inngest: string | null;
  /** Deliveries whose first attempts are rejected; their retries take six minutes. */
  deliveries: number;
  /** Output directory; null: print only. */
  out: string | null;
};

export const USAGE = `usage: node bench/run.mjs drivers [options]
  --monitors N   number of monitors (1000)
  --interval N   seconds between two checks of a monitor (30)
  --seconds N    seconds measured after one interval of warm-up (180)
  --alone        without an embedded driver: only Inngest wakes workers
  --no-wipe      keep the Inngest server running; by default it stops and loses its data for the middle third
  --inngest PATH the program of a self-hosted Inngest, which is started and wiped
  --deliveries N deliveries whose first two attempts are rejected (0); their retries take six minutes: use --seconds 480
  --out DIR      output directory (default: docs/benchmarks, only for the default size)
`;

const FULL = { monitors: 1000, interval: 30, seconds: 180 };

/** Parses the command line. Throws if it is invalid. */
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
