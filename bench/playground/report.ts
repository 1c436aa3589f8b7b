import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Percentiles } from './measure';

/** A figure: name, measured value, and limit or ''. */
export type Row = [name: string, value: string, limit: string];

/** A limit of a figure: a maximum, a minimum, or both. */
export type Limit = { name: string; value: number; atMost?: number; atLeast?: number };

/** The reports in the repository. */
const PUBLISHED = join('docs', 'benchmarks');

/** The current date, as in reports. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** A whole number as a person reads it. */
export function count(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** Milliseconds: `57 ms / 108 ms`. */
export function formatDelays(delays: number[]): string {
  return delays.map((value) => `${count(value)} ms`).join(' / ');
}

/** Percentiles in milliseconds: p50 / p95 / p99 / max. */
export function formatPercentiles({ p50, p95, p99, max }: Percentiles): string {
  return formatDelays([p50, p95, p99, max]);
}

/** A table in Markdown. */
export function markdownTable(head: string[], rows: readonly (readonly (string | number)[])[]): string {
  const ruler = head.map(() => '---');
  return [head, ruler, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The exceeded limits, as text. A value that was not measured (NaN) exceeds every limit. */
export function findExceeded(limits: Limit[]): string[] {
  return limits
    .filter(({ value, atMost = Infinity, atLeast = -Infinity }) => !(value <= atMost && value >= atLeast))
    .map(({ name, value, atMost, atLeast }) => {
      return `${name} is ${Number(value.toFixed(3))}; the limit is ${atMost ?? atLeast}`;
    });
}

/** What a run found. */
type Outcome = {
  /** The name of its report, without extension. */
  name: string;
  markdown: string;
  /** Also written as `<name>.json`. */
  figures?: object;
  /** Output directory, docs/benchmarks by default; null: print only. */
  out?: string | null;
  broken?: string[];
};

/** Prints the report of a run and writes it. Returns the exit code: 1 if a limit is exceeded. */
export async function conclude(outcome: Outcome): Promise<number> {
  const { name, markdown, figures, out = PUBLISHED, broken = [] } = outcome;
  console.log(`\n${markdown}`);
  if (out !== null) {
    await mkdir(out, { recursive: true });
    await writeFile(join(out, `${name}.md`), markdown);
    const json = JSON.stringify({ measuredAt: today(), ...figures }, null, 2);
    if (figures) await writeFile(join(out, `${name}.json`), `${json}\n`);
    console.log(`written to ${out}`);
  }
  for (const line of broken) console.error(`BROKEN: ${line}`);
  return broken.length > 0 ? 1 : 0;
}

/** Parses the command line. Prints `usage` and exits for `--help`. Throws for unknown options. */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  words: string[],
  usage: string,
  options: Options,
) {
  if (words.includes('--help')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  return parseArgs({ args: words, options }).values;
}

/** The output directory of a run: `--out`, or else docs/benchmarks for a run without options; null: print only. */
export function chooseOutput(out: string | undefined, words: string[]): string | null {
  return out ?? (words.length === 0 ? PUBLISHED : null);
}

/** A whole number of the command line, at least `least`. Throws for anything else. */
export function readCount(name: string, value: string | number, least = 1): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least) return number;
  throw new Error(`--${name} must be a whole number, at least ${least}`);
}
