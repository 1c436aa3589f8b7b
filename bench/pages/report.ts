import { count, findExceeded, type Limit, markdownTable, type Scores, today } from '../playground';
import { CONNECTIONS, type Load } from './load';
import type { Misses, Outage } from './measure';

export type Kind = 'HTML' | 'JSON';

/** One kind of response: from our web server, from a bare server that sends the same bytes, and from Next alone. */
export type Served = { kind: Kind; bytes: number; nextBytes: number; pharos: Load; bare: Load; next: Load };

/** The results of a run. Times in milliseconds. */
export type Figures = {
  load: string;
  served: Served[];
  misses: Record<Kind, Misses>;
  changing: { quiet: Load; changing: Load; changesPerSecond: number };
  outage: Outage;
  lighthouse: Scores | null;
};

/** Limits of a page; the rate as CPU: 10,000 requests per second and core are 0.1 ms each. */
function listLimits({ served, misses, changing, outage }: Figures): Limit[] {
  return [
    ...served.flatMap(({ kind, pharos, bare }) => [
      { name: `CPU of a cached ${kind} response (ms)`, value: pharos.cpuMs, atMost: 0.1 },
      {
        name: `CPU of a cached ${kind} response, times the bare server's`,
        value: pharos.cpuMs / bare.cpuMs,
        atMost: 1.5,
      },
    ]),
    ...Object.entries(misses).flatMap(([kind, { webMs, postgresMs, bareMs }]) => [
      { name: `CPU of a miss, ${kind}, times a bare Next route`, value: webMs / bareMs, atMost: 5 },
      {
        name: `PostgreSQL of a miss, ${kind}, times a bare Next route`,
        value: postgresMs / bareMs,
        atMost: 2,
      },
    ]),
    {
      name: 'the quiet rate, times the rate while monitors change',
      value: changing.quiet.perSecond / changing.changing.perSecond,
      atMost: 1.5,
    },
    { name: 'responses other than 200 without a database', value: outage.requests - outage.ok, atMost: 0 },
  ];
}

/** The limits that a run exceeded, as text. */
export function findBrokenLimits(figures: Figures): string[] {
  return findExceeded(listLimits(figures));
}

/** pages.md. */
export function formatReport(figures: Figures): string {
  return `# Status pages

\`node bench/run.mjs pages\`, measured on ${today()}: a published page with 40 monitors, 90 days of ledger with three changes a day each, and
incidents; one \`pharos web\` process on an embedded PostgreSQL, everything on one machine. Load comes from a separate process,
over ${CONNECTIONS} connections, with \`Accept-Encoding: gzip\`. CPU is that of the server process per request. All servers were
measured alternately in one run. ${figures.load}: compare CPU and ratios, not
times.

## Cached responses

The bare server is \`node:http\` with the same bytes and headers in memory; \`next start\` is the same build without the web server
in front of it, which renders every response.

${formatServed(figures)}

## Rendered responses

${figures.misses.HTML.requests} of each, in sequence, each for a new host: queries, rendering and compression.

${formatMisses(figures)}

## While monitors change

50 monitors, including the 40 of the page, change status every second, written by the engine in five
transactions per second. Each invalidates the page. ${figures.changing.changesPerSecond.toFixed(0)} changes per second were written. HTML, alternately:

${formatChanging(figures)}

## Without a database

${formatOutage(figures)}

## Lighthouse, mobile

${formatLighthouse(figures)}

## Limits

${formatBroken(figures)}

Others, measured once on a similar machine: Uptime Kuma serves the shell of its page 5,600 times per second, and takes 8, 16 and
76 ms of CPU for the three responses that fill it; Gatus serves its shell 13,500 times and its data 2,100 times per second; Kener
serves 20 pages per second.
`;
}

const LOAD_HEAD = ['requests/s', 'p50 ms', 'p99 ms', 'CPU ms'];
const formatLoad = ({ perSecond, p50, p99, cpuMs }: Load) => [count(perSecond), p50, p99, cpuMs.toFixed(3)];

function formatServed({ served }: Figures): string {
  const rows = served.flatMap(({ kind, bytes, nextBytes, pharos, bare, next }) => {
    const row = (name: string, load: Load, size = bytes) => {
      return [`${name}, ${kind}`, count(size), ...formatLoad(load), (load.cpuMs / bare.cpuMs).toFixed(1)];
    };
    return [row('**Pharos**', pharos), row('bare `node:http`', bare), row('`next start`', next, nextBytes)];
  });
  return markdownTable(['', 'bytes', ...LOAD_HEAD, 'CPU, times bare'], rows);
}

function formatMisses({ misses }: Figures): string {
  const rows = Object.entries(misses).map(([kind, { webMs, postgresMs, bareMs }]) => {
    const times = [webMs, postgresMs].map((ms) => (ms / bareMs).toFixed(1));
    return [kind, ...[webMs, postgresMs, bareMs].map((ms) => ms.toFixed(2)), ...times];
  });
  const head = [
    '',
    'CPU ms, web',
    'CPU ms, PostgreSQL',
    'CPU ms, bare Next route',
    'web × bare route',
    'PostgreSQL × bare route',
  ];
  return markdownTable(head, rows);
}

function formatChanging({ changing: { quiet, changing } }: Figures): string {
  const rows = [
    ['quiet', ...formatLoad(quiet)],
    ['changing', ...formatLoad(changing)],
  ];
  const percent = ((100 * changing.perSecond) / quiet.perSecond).toFixed(0);
  const share = `The rate while monitors change is ${percent}% of the quiet rate.`;
  return `${markdownTable(['', ...LOAD_HEAD], rows)}\n\n${share}`;
}

function formatOutage({ outage }: Figures): string {
  const { requests, ok, marked, slowestMs, verifiedAfterMs } = outage;
  return `PostgreSQL was stopped: ${ok} of ${requests} responses were 200, ${marked} of them marked as not verified; the slowest took ${count(slowestMs)} ms.
After a restart, HTML and JSON were verified again within ${count(verifiedAfterMs)} ms.`;
}

function formatLighthouse({ lighthouse }: Figures): string {
  if (lighthouse === null) return 'No browser found.';
  const { scores, failing } = lighthouse;
  const named = Object.entries(scores)
    .map(([name, score]) => `${name} ${score}`)
    .join(', ');
  return [`${named}.`, ...failing.map((line) => `- ${line}`)].join('\n');
}

function formatBroken(figures: Figures): string {
  const broken = findBrokenLimits(figures);
  const held = `A cached response takes at most 0.1 ms of CPU (10,000 per second and core) and 1.5 times that of the bare server; a rendered one at
most 5 times a bare Next route, and PostgreSQL twice; every response without a database is 200; the rate stays above two thirds while monitors change.`;
  return broken.length === 0
    ? `${held} All limits were met.`
    : `${held}\n\n${broken.map((line) => `- Exceeded: ${line}.`).join('\n')}`;
}
