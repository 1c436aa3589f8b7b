import {
  chooseOutput,
  conclude,
  findExceeded,
  log,
  markdownTable,
  percentiles,
  readCount,
  readOptions,
  type Script,
  startScript,
} from '../playground';
import { type CheckRow, createRows, HANGING, type Ports } from './rows';
import type { Order } from './runner';

export { createRunner } from './runner';

const USAGE = `usage: node bench/run.mjs probe [options]
CPU of one check, against the least that a Node.js program needs for it: two processes in turns
  --rows A;B     the rows to measure (all)
  --rounds N     rounds of each (5)
  --ms N         milliseconds per round (600)
  --rate N       checks per second (833)
  --out DIR      output directory (default: docs/benchmarks, only without other options)
`;

/** What a row found: CPU microseconds per check, and the ratios of the rounds. */
type Figures = { name: string; floor: number; pharos: number; ratios: number[]; atMost?: number };

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
  const chosen = given.rows?.split(';');
  const target = await startScript('probe/target.mjs');
  const ports = target.hello as Ports;
  const start = (side: string) => startScript('probe/client.mjs', [side, JSON.stringify(ports)]);
  const clients = { floor: await start('floor'), pharos: await start('pharos') };
  const figures: Figures[] = [];
  for (const row of createRows(ports)) {
    if (chosen?.includes(row.name) ?? true) figures.push(await measureRow(clients, row, size));
  }
  for (const child of [clients.floor, clients.pharos, target]) await child.stop();
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

type Clients = { floor: Script; pharos: Script };
type Size = { rounds: number; ms: number; rate: number };

async function measureRow(
  clients: Clients,
  { name, share = 1, atMost }: CheckRow,
  size: Size,
): Promise<Figures> {
  const order: Order = { row: name, ms: size.ms, rate: size.rate * share };
  // The first round compiles the code.
  for (const client of Object.values(clients)) await client.request(order);
  const pairs: { floor: number; pharos: number }[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    const floor = await clients.floor.request<number>(order);
    pairs.push({ floor, pharos: await clients.pharos.request<number>(order) });
  }
  const ratios = pairs.map((pair) => pair.pharos / pair.floor);
  log(`${name}: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`);
  return {
    name,
    floor: percentiles(pairs.map(({ floor }) => floor)).p50,
    pharos: percentiles(pairs.map(({ pharos }) => pharos)).p50,
    ratios,
    ...(atMost === undefined ? {} : { atMost }),
  };
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
