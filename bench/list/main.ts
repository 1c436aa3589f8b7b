import {
  chooseOutput,
  conclude,
  count,
  findExceeded,
  formatRequests,
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
import { browse, STEP_PX, type Visit } from './browse';

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
  for (const { monitors, cookie } of seeded) {
    log(`browsing ${count(monitors)} monitors`);
    visits.push({ monitors, visit: await browse(`${origin}/monitors`, cookie) });
  }
  await result.web.stop();
  return conclude({
    name: 'list',
    markdown: formatReport(formatRequests(result), formatVisits(visits)),
    out: chooseOutput(undefined, words),
    broken: findExceeded(limitsOf(result)),
  });
}

function listRequests(origin: string, { monitors, monitorId, cookie }: Seeded): Request[] {
  const headers = { cookie, 'accept-encoding': 'gzip' };
  const list: Request = {
    ...{ name: `list of ${count(monitors)}`, url: `${origin}/monitors`, headers },
    requests: monitors > 1000 ? 15 : 60,
    ...(monitors === 1000 ? { webAtMost: 30, postgresAtMost: 15 } : {}),
  };
  const page: Request = {
    ...{ name: `a monitor of ${count(monitors)}`, url: `${origin}/monitors/${monitorId}`, headers },
    ...{ requests: 100, webAtMost: 15, postgresAtMost: 3 },
  };
  return monitors === 1000 ? [list, page] : [list];
}

function formatVisits(visits: readonly { monitors: number; visit: Visit }[]): string {
  const head = ['monitors', 'elements', 'browser load, ms', 'browser per frame, ms', 'JavaScript'];
  const rows = visits.map(({ monitors, visit }) => {
    if (visit === null) return [count(monitors), '–', '–', '–', '–'];
    const { elements, loadMs, frameMs, scriptBytes } = visit;
    const script = `${(scriptBytes / 1000).toFixed(0)} KB`;
    return [count(monitors), count(elements), loadMs.toFixed(0), frameMs.toFixed(1), script];
  });
  return markdownTable(head, rows);
}

function formatReport(requests: string, visits: string): string {
  return `# Monitor list

\`npm run bench:list\`, measured on ${today()}: CPU milliseconds of the web process and of PostgreSQL per request, one after the other;
then the 99th percentile of response times with 32 clients, which share two cores with the server and its database. *Bare* is a Next
route handler that sends a few bytes. Each monitor has 90 status changes a month for three months, and a check every five minutes of the last day.

${requests}

In Chromium at 1440 × 900: the number of elements, the CPU of the main thread to load and per frame while scrolling through the whole
page (${STEP_PX} pixels per frame), and the JavaScript of the first load.

${visits}
`;
}
