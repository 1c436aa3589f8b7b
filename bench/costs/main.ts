import { setTimeout as delay } from 'node:timers/promises';
import {
  chooseOutput,
  conclude,
  count,
  findExceeded,
  type Limit,
  log,
  markdownTable,
  readOptions,
  startScript,
  startTargets,
  today,
} from '../playground';
import { type Cost, startMeter, typical } from './measure';
import { listPageRequests, type PageRequest } from './pages';
import { type ApiOperation, readOperations } from './read-operations';
import { type CostsWorld, openCostsWorld } from './world';
import { worstRefused } from './worst-refused';
import { type CostRequest, worstLegal } from './worst-requests';

const USAGE = `usage: npm run bench:costs [-- --only monitors]

What the worst legal and the worst refused request of every operation cost the web process. Without options, all of them, written to
docs/benchmarks/costs.md; with --only, those whose name contains a text.
`;
const LEGAL_TURNS = 5;
const REFUSED_TURNS = 3;
const LIVE_TURNS = 200;
/** SECURITY.md, on a machine where a bare check costs at most FLOOR_MS. */
const MAX_PAUSE_MS = 200;
const FLOOR_MS = 0.4;

/** What is measured where nothing is found. */
const MISSING = /nowhere$|tls-allowed/;

type Measure = Awaited<ReturnType<typeof startMeter>>;
type Measured = { name: string; legal: Cost; refused?: Cost & { why: string } };

/** CPU and the longest pause of the event loop, for every operation. Returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const { only = '' } = readOptions(words, USAGE, { only: { type: 'string' } });
  const floorMs = await measureFloor();
  const world = await openCostsWorld();
  const measure = await startMeter(world);
  const live = await repeat(LIVE_TURNS, () => measure({ method: 'GET', path: '/api/live', headers: {} }));
  const operations = await readOperations(world.origin);
  const bodies: Record<string, string> = {};
  for (const operation of operations) bodies[operation.id] = (await worstLegal(operation, world)).body ?? '';
  const isChosen = ({ name }: { name: string }) => name.includes(only);
  const isRead = ({ name }: { name: string }) => name.startsWith('GET');
  const pages = listPageRequests(world, bodies).filter(isChosen);
  const chosen = operations.filter(isChosen);
  const measured: Measured[] = [];
  // Reads first: what is written makes lists longer.
  for (const read of [true, false]) {
    for (const each of chosen)
      if (isRead(each) === read) measured.push(await measureOperation(each, world, measure));
    for (const each of pages) if (isRead(each) === read) measured.push(await measurePage(each, measure));
  }
  await world.worker.stop();
  await world.web.stop();
  return conclude({
    name: 'costs',
    markdown: formatReport(measured, { live, floorMs }),
    out: chooseOutput(undefined, words),
    broken: [...findUnexpected(measured), ...findExceeded(limitsOf(measured, floorMs))],
  });
}

async function measureOperation(
  operation: ApiOperation,
  world: CostsWorld,
  measure: Measure,
): Promise<Measured> {
  log(operation.name);
  const prepare = () => worstLegal(operation, world);
  const legal = await repeat(LEGAL_TURNS, async () => send(measure, await prepare()));
  const last = await prepare();
  const refusals = [];
  for (const { name: why, request } of worstRefused(operation, last, world)) {
    refusals.push({ why, ...(await repeat(REFUSED_TURNS, () => send(measure, request))) });
  }
  // An operation without parameters that needs no key refuses nothing.
  return { name: operation.name, legal, refused: refusals.toSorted((a, b) => b.pauseMs - a.pauseMs)[0] };
}

async function measurePage({ name, request, before }: PageRequest, measure: Measure): Promise<Measured> {
  log(name);
  const legal = await repeat(LEGAL_TURNS, async () => {
    await before?.();
    return send(measure, request);
  });
  return { name, legal };
}

/** Waits where a rate limit was reached. */
async function send(measure: Measure, request: CostRequest): Promise<Cost> {
  for (;;) {
    const cost = await measure(request);
    if (cost.status !== 429) return cost;
    await delay(5000);
  }
}

async function repeat(turns: number, work: () => Promise<Cost>): Promise<Cost> {
  // The first compiles code and fills caches.
  await work();
  const costs: Cost[] = [];
  for (let turn = 0; turn < turns; turn += 1) costs.push(await work());
  return typical(costs);
}

/** What Node.js itself needs for a check over HTTP, in CPU milliseconds. */
async function measureFloor(): Promise<number> {
  const targets = await startTargets();
  const script = await startScript('checks/scripts/floor.mjs', ['127.0.0.1:9']);
  const urls = targets.ports.responding.map((port) => `http://127.0.0.1:${port}/`);
  const work = { type: 'http', targets: urls, perSecond: 200, seconds: 10, timeoutMs: 10_000 };
  const { checks, cpuMs } = await script.request<{ checks: number; cpuMs: number }>(work);
  await script.stop();
  await targets.stop();
  return cpuMs / checks;
}

/** Legal requests that were refused, and refused ones that were not: the benchmark would measure something else. */
function findUnexpected(measured: readonly Measured[]): string[] {
  return measured.flatMap(({ name, legal, refused }) => [
    ...(legal.status >= 500 || (legal.status >= 400 && !MISSING.test(name))
      ? [`${name}: the legal request got ${legal.status} ${legal.text}`]
      : []),
    ...(refused && (refused.status < 400 || refused.status >= 500)
      ? [`${name}, ${refused.why}: the refused request got ${refused.status} ${refused.text}`]
      : []),
  ]);
}

/** The limit grows with the machine, where it is slower than the one of the promise. */
function limitsOf(measured: readonly Measured[], floorMs: number): Limit[] {
  const atMost = MAX_PAUSE_MS * Math.max(1, floorMs / FLOOR_MS);
  return measured.flatMap(({ name, legal, refused }) => [
    { name: `${name}: longest pause, ms`, value: legal.pauseMs, atMost },
    ...(refused
      ? [{ name: `${name}, ${refused.why}: longest pause, ms`, value: refused.pauseMs, atMost }]
      : []),
  ]);
}

function formatReport(
  measured: readonly Measured[],
  { live, floorMs }: { live: Cost; floorMs: number },
): string {
  const head = [
    'operation',
    'legal',
    'CPU ms',
    '× live',
    'pause ms',
    'worst refused',
    'status',
    'CPU ms',
    '× live',
    'pause ms',
  ];
  const cost = ({ cpuMs, pauseMs }: Cost) => [
    cpuMs.toFixed(1),
    count(cpuMs / live.cpuMs),
    pauseMs.toFixed(0),
  ];
  const rows = measured.map(({ name, legal, refused }) => [
    `\`${name}\``,
    legal.status,
    ...cost(legal),
    ...(refused ? [refused.why, refused.status, ...cost(refused)] : ['–', '–', '–', '–', '–']),
  ]);
  return `# What requests cost the web process

\`npm run bench:costs\`, measured on ${today()}: CPU milliseconds of the web process (its threads included), that as a multiple of
\`GET /api/live\` in the same run (${live.cpuMs.toFixed(2)} ms), and the longest pause of its event loop, as the median of several requests, one after the other. *Legal* is the
largest request that an operation accepts, with its status. *Refused* is the one with the longest pause among requests that are
refused: without a key, with a read key, of an unknown object, with one unknown field in the largest body, and with bodies that are wrong
altogether. The organization has 1,000 monitors with three months of history and 5,000 incidents; status pages are read when they are not in memory. On this machine a bare
check with \`node:http\` costs ${floorMs.toFixed(2)} ms; up to ${FLOOR_MS} ms, no pause may be longer than ${MAX_PAUSE_MS} ms.

${markdownTable(head, rows)}
`;
}
