import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A figure: what, measured, and what it is held to, or ''. */
export type Row = [name: string, value: string, limit: string];

/** A whole number as a person reads it. */
export function count(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** Figures as a table for a terminal. */
export function formatRows(rows: Row[]): string {
  return rows.map(([name, value, limit]) => `  ${name.padEnd(52)}${value.padEnd(46)}${limit}`).join('\n');
}

/** A row of a table in Markdown. */
export function markdownRow(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The files of a report: the text as `<name>.md`, the figures as `<name>.json`. */
export function reportFiles(
  name: string,
  { markdown, figures, at }: { markdown: string; figures: object; at: Date },
) {
  const json = JSON.stringify({ measuredAt: at.toISOString().slice(0, 10), ...figures }, null, 2);
  return { [`${name}.json`]: `${json}\n`, [`${name}.md`]: markdown };
}

/** Prints what a run found, and writes its files where `out` is not null. Returns the exit code: 1 if a limit is exceeded. */
export async function conclude({
  table,
  files,
  out,
  broken = [],
}: {
  table: string;
  files: Record<string, string>;
  out: string | null;
  broken?: string[];
}): Promise<number> {
  console.log(`\n${table}\n`);
  if (out !== null) {
    await mkdir(out, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(out, name), text);
    console.log(`written to ${out}`);
  }
  for (const line of broken) console.error(`BROKEN: ${line}`);
  return broken.length > 0 ? 1 : 0;
}

/** A whole number of the command line, at least `least`. Throws where it is none. */
export function readCount(name: string, value: string | number, least = 1): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least) return number;
  throw new Error(`--${name} must be a whole number, at least ${least}`);
}
