import {
  chooseOutput,
  conclude,
  count,
  findExceeded,
  formatRequests,
  limitsOf,
  measureRequests,
  type Request,
  readOptions,
  today,
} from '../playground';
import { openBench } from '../seed';
import { type Seeded, seedHistories } from '../seed-history';

const USAGE = `usage: npm run bench:api [-- --sizes 100,1000]

What requests for monitors cost, compared with a bare Next route. Without options, at four sizes, written to docs/benchmarks/api.md.
`;
const SIZES = [100, 1000, 10_000, 100_000];
/** Larger lists are read in pages. */
const MAX_COMPLETE = 10_000;
const PAGE = 50;

/** CPU per request of GET /monitors, complete and in pages. Returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const { sizes } = readOptions(words, USAGE, { sizes: { type: 'string' } });
  const { database, environment, services, origin } = await openBench();
  const seeded = await seedHistories(services, sizes?.split(',').map(Number) ?? SIZES);
  const requests = seeded.flatMap((each) => listRequests(`${origin}/api/monitors`, each));
  const result = await measureRequests(environment, database.pid(), requests);
  await result.web.stop();
  return conclude({
    name: 'api',
    markdown: formatReport(formatRequests(result)),
    out: chooseOutput(undefined, words),
    broken: findExceeded(limitsOf(result)),
  });
}

function listRequests(url: string, { monitors, apiKey }: Seeded): Request[] {
  const headers = { authorization: `Bearer ${apiKey}` };
  const page: Request = {
    name: `${PAGE} of ${count(monitors)}`,
    url: `${url}?limit=${PAGE}`,
    headers,
    requests: 400,
    webAtMost: 4,
    postgresAtMost: 2,
  };
  const byName: Request = {
    ...page,
    name: `${PAGE} of ${count(monitors)} by name`,
    url: `${page.url}&sort=name`,
  };
  const byStatus: Request = {
    name: `${PAGE} of ${count(monitors)} by status`,
    url: `${page.url}&sort=status`,
    headers,
    requests: 100,
  };
  const pages = [page, byName, byStatus];
  if (monitors > MAX_COMPLETE) return pages;
  const all: Request = {
    name: `all ${count(monitors)}`,
    url,
    headers,
    requests: Math.max(10, Math.min(200, 100_000 / monitors)),
    ...(monitors === 1000 ? { webAtMost: 12, postgresAtMost: 10 } : {}),
  };
  return [...pages, all];
}

function formatReport(table: string): string {
  return `# GET /api/monitors

\`npm run bench:api\`, measured on ${today()}: CPU milliseconds of the web process and of PostgreSQL per request, one after the other,
by a process that has warmed up with up to 1,000 of them (the bare route too); then the 99th percentile of response times with 32 clients, which share two cores with the server and its database. *Bare* is a Next route handler that
sends a few bytes, measured in turns with each request. Each monitor has 90 status changes a month for three months, and a check every five minutes of the last day; of 100,000, each has 27
changes in nine days.

${table}
`;
}
