import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { log, markdownTable, readCount, readOptions, root } from '../playground';
import {
  allowedDelay,
  CANARIES,
  type Canary,
  type Cell,
  hasProof,
  INTERVALS_S,
  listCells,
  MONITORS,
  OUTAGES,
  type Outage,
  THRESHOLDS,
} from './cells';
import { type Outcome, runCells } from './watcher';
import { runWorld } from './world';

const USAGE = `usage: npm run test:network-cut [-- options]
Cuts the network of small installations, then lets their targets fail, and shows who alerts. It needs root on Linux, unshare (util-linux) and
ip (iproute2). All of it happens in network namespaces of its own, so the network of the machine is left alone.
  --monitors 1,2,…    how many monitors (${MONITORS.join(',')})
  --intervals 30,…    their intervals in seconds (${INTERVALS_S.join(',')})
  --factor N          how many times as fast as real time (10)
  --all               each cell with and without confirmation and with each outage, instead of these in turns
`;

type Size = { cells: { cell: Cell; outage: Outage }[] };

/** Runs the matrix; returns the exit code: 1 if a monitor alerted that should not have, or too late. */
export async function main(words: string[]): Promise<number> {
  const [part, ...rest] = words;
  if (part === 'world') return runWorld();
  if (part === 'watcher') return runWatcher(rest);
  const text = { type: 'string' } as const;
  const flags = { monitors: text, intervals: text, factor: text, all: { type: 'boolean' } } as const;
  const given = readOptions(words, USAGE, flags);
  const missing = findMissing();
  if (missing.length > 0) {
    log(`this machine lacks ${missing.join(' and ')}\n${USAGE}`);
    return 1;
  }
  const numbers = (name: string, value: string | undefined) =>
    value?.split(',').map((each) => readCount(name, each));
  const size = {
    monitors: numbers('monitors', given.monitors),
    intervals: numbers('intervals', given.intervals),
  };
  const cells = chooseCells(listCells(size), given.all === true);
  const factor = readCount('factor', given.factor ?? 10);
  const outcomes = await runInNamespace({ cells }, factor);
  const findings = outcomes.flatMap(findFailures);
  process.stdout.write(`${formatReport(outcomes)}\n`);
  for (const finding of findings) log(finding);
  return findings.length === 0 ? 0 : 1;
}

function findMissing(): string[] {
  const programs = ['unshare', 'ip'].filter((name) => spawnSync(name, ['-V']).error !== undefined);
  return [...(process.getuid?.() === 0 ? [] : ['root']), ...programs];
}

function chooseCells(cells: Cell[], isAll: boolean): Size['cells'] {
  if (isAll) return cells.flatMap((cell) => OUTAGES.map((outage) => ({ cell, outage })));
  const pairs = cells.filter(({ confirms }) => !confirms);
  return pairs.map((cell, place) => ({
    cell: { ...cell, confirms: place % 2 === 1 },
    outage: OUTAGES[place % OUTAGES.length] ?? 'single',
  }));
}

/** The words that run a part of this program in another process, whose time passes `factor` times as fast. */
function partOf(part: string, factor: number): string[] {
  const virtual = pathToFileURL(join(root, 'bench', 'faults', 'virtual-process.mjs'));
  virtual.search = new URLSearchParams({ factor: String(factor), origin: String(Date.now()) }).toString();
  const own = pathToFileURL(join(root, 'dist', 'bench', 'network-cut.mjs'));
  const script = `import(${JSON.stringify(own)}).then(async ({ main }) => process.exit(await main(process.argv.slice(1))))`;
  const fast = factor === 1 ? [] : [`--import=${virtual}`];
  return [process.execPath, ...fast, '--input-type=module', '-e', script, part];
}

async function runInNamespace(size: Size, factor: number): Promise<Outcome[]> {
  const world = partOf('world', 1);
  const child = spawn('unshare', ['-n', ...partOf('watcher', factor), JSON.stringify({ ...size, world })], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the watcher ended with ${code}`);
  return JSON.parse(output);
}

async function runWatcher([input = '']: string[]): Promise<number> {
  const { cells, world }: Size & { world: string[] } = JSON.parse(input);
  const outcomes = await runCells(cells, { world, log });
  await new Promise<void>((resolve) => process.stdout.write(JSON.stringify(outcomes), () => resolve()));
  return 0;
}

const formatCell = ({ monitors, intervalS, confirms, neighbors, canary, outage }: Outcome) =>
  `${monitors} monitors every ${intervalS} s, ${confirms ? 'confirmed' : 'not confirmed'}, neighbors ${neighbors}, canary ${canary}, outage of ${outage}`;

function findFailures(outcome: Outcome): string[] {
  return outcome.alerts.flatMap(({ threshold, isNeighbor, falseAlert, delaysMs }) => {
    if (!hasProof(outcome, isNeighbor)) return [];
    const which = `${isNeighbor ? 'neighbor, ' : ''}threshold ${threshold}: ${formatCell(outcome)}`;
    const late = delaysMs.filter((ms) => ms === null || ms > allowedDelay(outcome, threshold) * 1000);
    return [
      ...(falseAlert ? [`alerts for a cut network, ${which}`] : []),
      ...(late.length > 0 ? [`alerts late or not at all (${late.join(', ')} ms), ${which}`] : []),
    ];
  });
}

function formatReport(outcomes: Outcome[]): string {
  const rows = CANARIES.flatMap((canary) =>
    [false, true].map((isNeighbor) => formatRow(outcomes, canary, isNeighbor)),
  );
  const head = [
    'canary',
    'targets',
    'proof',
    'cells',
    'of these alert for the cut',
    'latest alert of an outage',
  ];
  return markdownTable(head, rows);
}

function formatRow(outcomes: Outcome[], canary: Canary, isNeighbor: boolean): string[] {
  const own = outcomes.filter(
    (outcome) => outcome.canary === canary && (!isNeighbor || outcome.neighbors === 'cut'),
  );
  const alerts = own.flatMap((outcome) => outcome.alerts.filter((each) => each.isNeighbor === isNeighbor));
  const count = (threshold: number) =>
    alerts.filter((each) => each.threshold === threshold && each.falseAlert).length;
  const delays = alerts.flatMap(({ delaysMs }) => delaysMs);
  const latest = delays.includes(null)
    ? 'never'
    : `${(Math.max(0, ...delays.map(Number)) / 1000).toFixed(1)} s`;
  return [
    canary,
    isNeighbor ? 'neighbors that are cut' : 'behind the gateway',
    hasProof({ canary }, isNeighbor) ? 'works' : 'none',
    String(own.length),
    THRESHOLDS.map((threshold) => `${count(threshold)} (threshold ${threshold})`).join(', '),
    isNeighbor ? '–' : `${latest} later than usual`,
  ];
}
