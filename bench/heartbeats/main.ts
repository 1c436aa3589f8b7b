import { openToken } from '@/lib/domain/monitors/heartbeats/heartbeat-token';
import { createMonitors } from '@/lib/domain/monitors/writes/create-monitors';
import type { Database } from '@/lib/platform/db/client';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import {
  chooseOutput,
  conclude,
  count,
  type Figure,
  figure,
  findExceeded,
  formatLimit,
  formatPercentiles,
  log,
  markdownTable,
  type Pids,
  percentiles,
  readCount,
  readOptions,
  type Script,
  startCpuMeter,
  startProcess,
  startScript,
  today,
} from '../playground';
import { addOrganization, openBench } from '../seed';

const USAGE = `usage: npm run bench:heartbeats [-- options]
  --jobs N      jobs that call in turns (10000)
  --rate N      calls a second, whether or not earlier ones got a response (2000)
  --seconds N   seconds measured (20)
  --out DIR     output directory (default: docs/benchmarks, only without options)
  --profile DIR write a CPU profile of the web process here
`;

const CREATED_AT_ONCE = 500;
const WARM_UP_SECONDS = 15;
/** A call is durable before its response; p99 in milliseconds. */
const MAX_P99_MS = 100;

type Calls = { times: number[]; failures: number[]; seconds: number };
type Measured = Calls & { cpu: Pids; stored: number; wal: number };
type Sending = { origin: string; paths: string[]; rate: number; seconds: number };

/** What calls of jobs cost, at a steady rate. Returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const flags = { jobs: text, rate: text, seconds: text, out: text, profile: text };
  const given = readOptions(words, USAGE, flags);
  const jobs = readCount('jobs', given.jobs ?? 10_000);
  const rate = readCount('rate', given.rate ?? 2000);
  const seconds = readCount('seconds', given.seconds ?? 20);
  const { database, environment, services, origin } = await openBench();
  const paths = await addJobs(services, jobs);
  const web = await startProcess('web', environment, given.profile);
  const pids = { pharos: web.pid, postgres: database.pid() };
  const caller = await startScript('heartbeats/caller.mjs');
  log(`${count(jobs)} first calls`);
  // A first call changes the status of its job: births are a row of bench:checks.
  await call(caller, { origin, paths, rate: jobs / WARM_UP_SECONDS, seconds: WARM_UP_SECONDS });
  log(`${count(rate)} calls a second for ${seconds} s`);
  const measured = await measure(services.db, pids, () => call(caller, { origin, paths, rate, seconds }));
  await caller.stop();
  await web.stop();
  const figures = listFigures(measured, rate);
  return conclude({
    name: 'heartbeats',
    markdown: formatReport(figures, { jobs, rate, seconds }),
    out: chooseOutput(given.out, words),
    broken: findExceeded(figures),
  });
}

/** Creates jobs that are expected every hour; returns the paths that they call. */
async function addJobs(services: Parameters<typeof addOrganization>[0], jobs: number): Promise<string[]> {
  const { ctx, organizationId } = await addOrganization(services);
  const config = createMonitorSchema.parse({ name: 'Job', type: 'heartbeat', period: 3600 });
  const item = { creation: () => config, changes: () => ({}), listTexts: () => [], ref: null, expected: [] };
  for (let made = 0; made < jobs; made += CREATED_AT_ONCE) {
    log(`adding jobs: ${count(made)} of ${count(jobs)}`);
    const items = Array.from({ length: Math.min(CREATED_AT_ONCE, jobs - made) }, () => item);
    await createMonitors(ctx, items, { isAtomic: true, isUpsert: false });
  }
  const rows = await services.db.monitor.findMany({
    where: { organizationId },
    select: { id: true, heartbeatTokenSealed: true },
  });
  return rows.map(
    ({ id, heartbeatTokenSealed: sealed }) =>
      `/heartbeat/${openToken(services.keyring, id, sealed ?? new Uint8Array())}`,
  );
}

const call = (caller: Script, sending: Sending) => caller.request<Calls>(sending);

async function measure(db: Database, pids: Pids, send: () => Promise<Calls>): Promise<Measured> {
  const before = await readWritten(db);
  const meter = startCpuMeter(pids);
  const calls = await send();
  const cpu = meter();
  const after = await readWritten(db);
  return { ...calls, cpu, stored: after.results - before.results, wal: after.bytes - before.bytes };
}

/** Results that are stored, and bytes of the write-ahead log, so far. */
async function readWritten(db: Database): Promise<{ results: number; bytes: number }> {
  const [row] = await db.$queryRaw<[{ results: number; bytes: number }]>`
    SELECT count(*)::float8 AS results, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes
      FROM raw.check_result`;
  return row;
}

function listFigures({ times, failures, cpu, stored, wal, seconds }: Measured, rate: number): Figure[] {
  const delays = percentiles(times);
  const per = (value: number) => value / Math.max(1, stored);
  return [
    figure.count('calls recorded a second', stored / seconds, { atLeast: 0.95 * rate }),
    {
      name: 'response time, p50 / p95 / p99 / max',
      value: delays.p99,
      atMost: MAX_P99_MS,
      text: formatPercentiles(delays),
    },
    figure.count('OK, but not recorded', Math.max(0, times.length - failures.length - stored), { atMost: 0 }),
    figure.count('other responses, or none', failures.length, { atMost: 0 }),
    figure.cpu('CPU per call, web', per(cpu.pharos)),
    figure.cpu('CPU per call, PostgreSQL', per(cpu.postgres)),
    figure.count('write-ahead log per call, bytes', per(wal)),
  ];
}

function formatReport(
  figures: readonly Figure[],
  { jobs, rate, seconds }: { jobs: number; rate: number; seconds: number },
): string {
  const rows = figures.map((one) => [one.name, one.text, formatLimit(one)]);
  return `# Heartbeats

\`npm run bench:heartbeats\`, measured on ${today()}: ${count(jobs)} jobs that have called before call in turns, ${count(rate)} times a second for ${seconds} s, over
connections that are kept. A call gets its response once it is committed. The client, the web process and PostgreSQL with its default, durable settings share two cores.

${markdownTable(['', 'measured', 'limit'], rows)}
`;
}
