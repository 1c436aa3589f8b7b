import {
  chooseOutput,
  conclude,
  findExceeded,
  markdownTable,
  percentiles,
  readCount,
  readOptions,
} from '../playground';
import { type Figures, measureProbes } from './measure';
import { HANGING } from './rows';

export { createRunner } from './runner';

const USAGE = `usage: node bench/run.mjs probe [options]
CPU of one check, against the least that a Node.js program needs for it: two processes in turns
  --rows A;B     the rows to measure (all)
  --rounds N     rounds of each (5)
  --ms N         milliseconds per round (600)
  --rate N       checks per second (833)
  --out DIR      output directory (default: docs/benchmarks, only without other options)
`;

/** Runs the benchmark; returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const flags = { rows: text, rounds: text, ms: text, rate: text, out: text };
  const given = readOptions(words, USAGE, flags);
  const size = {
    rounds: readCount('rounds', given.rounds ?? 5),
    ms: readCount('ms', given.ms ?? 600),
    rate: readCount('rate', given.rate ?? 833),
  };
  const figures = await measureProbes(given.rows?.split(';'), size, 'probe');
  return conclude({
    name: 'probe',
    markdown: formatMarkdown(figures, size.rate),
    figures: { ...size, rows: figures },
    out: chooseOutput(given.out, words),
    broken: findExceeded(
      figures.flatMap(({ name, ratios, atMost }) =>
        atMost === undefined ? [] : [{ name: `${name}, × floor`, value: percentiles(ratios).p50, atMost }],
      ),
    ),
  });
}

function formatMarkdown(figures: Figures[], rate: number): string {
  const cells = figures.map(({ name, floor, pharos, ratios, atMost }) => {
    const sorted = ratios.toSorted((a, b) => a - b);
    const [least = Number.NaN, most = Number.NaN] = [sorted[0], sorted.at(-1)];
    const ratio = `${percentiles(ratios).p50.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
    return [name, `${floor.toFixed(0)} µs`, `${pharos.toFixed(0)} µs`, ratio, atMost?.toString() ?? ''];
  });
  return `# CPU of one check

At ${rate} checks per second (https: a quarter), against servers in another process. The floor opens a connection for each
exchange with the builtin module of Node.js, and does nothing else; the two processes take turns. Pharos holds ${HANGING} more
checks that hang. Ratio: median of the rounds (lowest–highest).

${markdownTable(['check', 'floor', 'Pharos', 'ratio', 'at most'], cells)}
`;
}
