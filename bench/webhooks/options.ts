import { join } from 'node:path';
import { parseArgs } from 'node:util';

export type Options = {
  monitors: number;
  /** Where the figures are written; null: only printed. */
  out: string | null;
  /** Where the worker leaves a CPU profile; null: none is taken. */
  profile: string | null;
};

export const USAGE = `usage: node bench/run.mjs webhooks [options]
  --monitors N   how many monitors go down within one second (2000)
  --out DIR      where webhooks.md and webhooks.json are written (docs/benchmarks, for the default size only)
  --profile DIR  where the worker leaves a CPU profile
`;

const FULL = 2000;

/** Reads the command line. Throws where it is wrong. */
export function readOptions(words: string[], root: string): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: words, options: { monitors: text, out: text, profile: text } });
  const monitors = Number(values.monitors ?? FULL);
  if (!Number.isInteger(monitors) || monitors < 1)
    throw new Error('--monitors must be a whole number above 0');
  return {
    monitors,
    out: values.out ?? (monitors === FULL ? join(root, 'docs', 'benchmarks') : null),
    profile: values.profile ?? null,
  };
}
