import {
  chooseOutput,
  conclude,
  count,
  findExceeded,
  formatRequests,
  type Limit,
  limitsOf,
  log,
  markdownTable,
  measureRequests,
  type Request,
  readOptions,
  today,
} from '../playground';
import { openBench } from '../seed';
import { type Seeded, seedHistories } from '../seed-history';
import { browse, SLOWED, STEP_PX, type Visit } from './browse';

const USAGE = `usage: npm run bench:list [-- --sizes 100,1000]

What the pages of the dashboard cost, compared with a bare Next route. Without options, at four sizes, written to docs/benchmarks/list.md.
`;
const SIZES = [10, 100, 1000, 10_000];

/** CPU per request of the list and of a monitor's page, and measurements in a browser. Returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const { sizes } = readOptions(words, USAGE, { sizes: { type: 'string' } });
  const { database, environment, services, origin } = await openBench();
  const seeded = await seedHistories(services, sizes?.split(',').map(Number) ?? SIZES);
  const result = await measureRequests(
    environment,
    database.pid(),
    seeded.flatMap((each) => listRequests(origin, each)),
  );
  const visits: { monitors: number; visit: Visit }[] = [];
  for (const each of seeded) {
    const { monitors } = each;
    log(`browsing ${count(monitors)} monitors`);
    visits.push({ monitors, visit: await browse(origin, each) });
  }
  await result.web.stop();
  return conclude({
    name: 'list',
    markdown: formatReport(formatRequests(result), formatVisits(visits)),
    out: chooseOutput(undefined, words),
    broken: findExceeded([...limitsOf(result), ...visits.flatMap(limitsOfVisit)]),
  });
}

function listRequests(origin: string, { monitors, monitorId, cookie }: Seeded): Request[] {
  const headers = { cookie, 'accept-encoding': 'gzip' };
  const list: Request = {
    name: `list of ${count(monitors)}`,
    url: `${origin}/monitors`,
    headers,
    requests: monitors > 1000 ? 15 : 60,
    ...(monitors === 1000 ? { webAtMost: 30, postgresAtMost: 15 } : {}),
  };
  const page: Request = {
    name: `a monitor of ${count(monitors)}`,
    url: `${origin}/monitors/${monitorId}`,
    headers,
    requests: 300,
    webAtMost: 15,
    postgresAtMost: 3,
  };
  return monitors === 1000 ? [list, page] : [list];
}

type Visited = { monitors: number; visit: Visit };

/** The limits of a visit: of interactions with 1,000 monitors, of the rest with 10,000. */
function limitsOfVisit({ monitors, visit }: Visited): Limit[] {
  if (visit === null) return [];
  const of = (name: string, value: number, atMost: number) => ({
    name: `${name}, ${count(monitors)} monitors`,
    value,
    atMost,
  });
  if (monitors === 1000) {
    return [
      of('JavaScript of the list, KB', visit.listBytes / 1000, 170),
      of('JavaScript of the page of a monitor, KB', visit.monitorBytes / 1000, 170),
      of('longest interaction, ms', visit.interactionMs, 100),
    ];
  }
  if (monitors < 10_000) return [];
  return [
    of('first rows, ms', visit.firstRowsMs, 500),
    of('search, ms', visit.searchMs, 150),
    of('longest frame, ms', visit.longestFrameMs, 50),
  ];
}

function formatVisits(visits: readonly Visited[]): string {
  const head = [
    'monitors',
    'elements',
    'browser load, ms',
    'browser per frame, ms',
    'JavaScript',
    'first rows, ms',
    'longest frame, ms',
    'search, ms',
    'longest interaction, ms',
  ];
  const rows = visits.map(({ monitors, visit }) => {
    if (visit === null) return [count(monitors), ...head.slice(1).map(() => '–')];
    const { elements, loadMs, frameMs, listBytes, monitorBytes } = visit;
    const script = `${(listBytes / 1000).toFixed(0)} and ${(monitorBytes / 1000).toFixed(0)} KB`;
    const times = [visit.firstRowsMs, visit.longestFrameMs, visit.searchMs, visit.interactionMs].map(count);
    return [count(monitors), count(elements), loadMs.toFixed(0), frameMs.toFixed(1), script, ...times];
  });
  return markdownTable(head, rows);
}

function formatReport(requests: string, visits: string): string {
  return `# Monitor list

\`npm run bench:list\`, measured on ${today()}: CPU milliseconds of the web process and of PostgreSQL per request, one after the other,
by a process that has warmed up with up to 1,000 of them (the bare route too); then the 99th percentile of response times with 32 clients, which share two cores with the server and its database. *Bare* is a Next
route handler that sends a few bytes, measured in turns with each request. Each monitor has 90 status changes a month for three months, and a check every five minutes of the last day.

${requests}

In Chromium at 1440 × 900: the number of elements, the CPU of the main thread to load and per frame while scrolling through the whole
page (${STEP_PX} pixels per frame), and the JavaScript of the first load, of the list and of the page of a monitor; the time from the navigation to the first frame with rows; the longest time
between two frames while scrolling; the time from typing a name to the frame with that row alone; and, on a processor slowed ${SLOWED} times, the longest
time from an input to the next frame.

${visits}
`;
}
