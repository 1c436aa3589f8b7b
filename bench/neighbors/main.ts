import { type AddressInfo, createServer } from 'node:net';
import { constants, setPriority } from 'node:os';
import { changePlan } from '@/lib/domain/organizations/change-organization';
import { addMonitor, addPage } from '@/lib/domain/status-pages/testing/pages';
import type { PlanId } from '@/lib/plans/catalogue';
import {
  conclude,
  count,
  findExceeded,
  formatPercentiles,
  type Limit,
  log,
  markdownTable,
  percentiles,
  readCount,
  readOptions,
  startCpuMeter,
  startProcess,
  startScript,
  today,
} from '../playground';
import { addIncidents, addOrganization, addPerson, openBench } from '../seed';
import { clientAt } from '../send.mjs';
import { carryOut, listAttacks } from './attacks';

const USAGE = `usage: npm run test:neighbors [-- --seconds 60]

One free organization does everything at once that costs much, for a minute; meanwhile another one uses the API, and its visitors a
status page. Fails if these wait much longer than alone.
`;
const ALONE_SECONDS = 30;
/** What the neighbor requests per second: below the rate limit of its plan. */
const RATES = { api: 5, pages: 20 };
/** Of 99th percentiles, as multiples of the same without an attack. */
const MAX_API_RATIO = 5;
const MAX_PAGE_RATIO = 3;
const INCIDENTS = 5000;

type Bench = Awaited<ReturnType<typeof openBench>>;
type Steady = { times: number[]; failures: number[] };

/** Returns the exit code: 1 if the neighbor waited too long, or got anything but 200. */
export async function main(words: string[]): Promise<number> {
  const { seconds = '60' } = readOptions(words, USAGE, { seconds: { type: 'string' } });
  const bench = await openBench();
  const neighbor = await addTenant(bench, 'neighbor', 'pro');
  const attacker = await addTenant(bench, 'attacker', 'free');
  const hanging = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const { port: hangingPort } = hanging.address() as AddressInfo;
  const web = await startProcess('web', bench.environment);
  const worker = await startProcess('worker', bench.environment);

  const script = await startScript('neighbors/neighbor.mjs');
  const beNeighbor = (seconds: number) => {
    const { origin } = bench;
    const { apiKey, slug } = neighbor;
    return script.request<Neighbor>({ origin, apiKey, slug, seconds, rates: RATES } satisfies Use);
  };
  const attacks = listAttacks({ ...attacker, origin: bench.origin, hangingPort });
  const hostile = clientAt(bench.origin, '127.0.0.3');
  // The first visit of a route loads its code.
  for (const { next } of attacks) await hostile(next(0));
  await beNeighbor(5);
  log('the neighbor alone');
  const alone = await beNeighbor(ALONE_SECONDS);
  log('the neighbor next to an attacker');
  // The computer of an attacker is another one: what it takes to send all this does not slow Pharos.
  setPriority(constants.priority.PRIORITY_LOW);
  const attackSeconds = readCount('seconds', seconds);
  const end = performance.now() + attackSeconds * 1000;
  const meter = startCpuMeter({ pharos: web.pid, postgres: bench.database.pid() });
  const [attacked, ...counts] = await Promise.all([
    beNeighbor(attackSeconds),
    ...attacks.map((attack) => carryOut(attack, hostile, end)),
  ]);
  const { pharos, postgres } = meter();
  const share = (ms: number) => `${Math.round(ms / attackSeconds / 10)} %`;
  const shares = `the web process took ${share(pharos)} of a core, PostgreSQL ${share(postgres)}`;
  hanging.close();
  await script.stop();
  await worker.stop();
  await web.stop();
  const rows = attacks.map(({ name, clients }, index) => [name, clients, formatCounts(counts[index])]);
  return conclude({
    name: 'neighbors',
    markdown: formatReport(
      { alone, attacked, shares },
      markdownTable(['attack', 'clients', 'responses'], rows),
    ),
    out: null,
    broken: [...findFailures(attacked), ...findExceeded(limitsOf(alone, attacked))],
  });
}

type Tenant = { apiKey: string; slug: string; viewerCookie: string };

/** An organization with a status page of one monitor and much history, and a person who can only read. */
async function addTenant({ services }: Bench, name: string, plan: PlanId): Promise<Tenant> {
  const { ctx, apiKey } = await addOrganization(services, name);
  const monitor = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false };
  const id = await addMonitor(ctx, monitor);
  await addPage(ctx, { name, slug: name, monitors: [id], published: true });
  await addIncidents(ctx, [id], INCIDENTS);
  const { cookie: viewerCookie } = await addPerson(ctx, 'viewer');
  await changePlan(services, ctx.organizationId, plan);
  return { apiKey, slug: name, viewerCookie };
}

type Neighbor = { api: Steady; pages: Steady };

/** What a neighbor does, and for how long. */
export type Use = { origin: string; apiKey: string; slug: string; seconds: number; rates: typeof RATES };

function findFailures({ api, pages }: Neighbor): string[] {
  return [
    ...api.failures.map((status) => `the API: ${status}`),
    ...pages.failures.map((status) => `a page: ${status}`),
  ];
}

function limitsOf(alone: Neighbor, attacked: Neighbor): Limit[] {
  const ratio = (part: keyof Neighbor) =>
    percentiles(attacked[part].times).p99 / percentiles(alone[part].times).p99;
  return [
    { name: 'p99 of the API, × alone', value: ratio('api'), atMost: MAX_API_RATIO },
    { name: 'p99 of cached pages, × alone', value: ratio('pages'), atMost: MAX_PAGE_RATIO },
  ];
}
function formatCounts(counts = new Map<number, number>()): string {
  const sorted = [...counts].toSorted(([a], [b]) => a - b);
  return sorted.map(([status, times]) => `${count(times)} × ${status === 0 ? 'none' : status}`).join(', ');
}

type Report = { alone: Neighbor; attacked: Neighbor; shares: string };

function formatReport({ alone, attacked, shares }: Report, attacks: string): string {
  const row = (name: string, part: keyof Neighbor) => [
    name,
    formatPercentiles(percentiles(alone[part].times)),
    formatPercentiles(percentiles(attacked[part].times)),
  ];
  return `# Neighbors

\`npm run test:neighbors\`, measured on ${today()}: response times (p50 / p95 / p99 / max) of an organization alone and next to one that attacks;
meanwhile, ${shares}.

${markdownTable(['', 'alone', 'under attack'], [row(`GET /api/monitors, ${RATES.api}/s`, 'api'), row(`its status page, ${RATES.pages}/s`, 'pages')])}

${attacks}
`;
}
