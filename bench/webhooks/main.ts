import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ProcessServices } from '@/lib/domain/context/services';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { notify } from '@/lib/platform/db/listen';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import {
  conclude,
  cpuOfProcess,
  cpuOfServer,
  log,
  openPlayground,
  PHAROS_SETTINGS,
  portOf,
  readCount,
  reportFiles,
  type Script,
  startDatabase,
  startProcess,
  startScript,
} from '../playground';
import { addMonitors, addOrganization, openServices, REGION } from '../seed';
import { type Arrival, countDeliveries, measureArrivals, watchConnections } from './measure-deliveries';
import { type Figures, findBrokenLimits, formatMarkdown, formatTable, type Rate } from './report';

const POLL_MS = 100;
const PROGRESS_MS = 2000;
/** Longer than any run needs. */
const PATIENCE_MS = 90_000;
const POOL = 10;

type Pids = { worker: number; postgres: number };
type Receivers = { answering: Script[]; hanging: Script; endpointIds: string[]; hangingId: string };

type Options = {
  monitors: number;
  /** Output directory; null: print only. */
  out: string | null;
  /** Directory for a CPU profile of the worker; null: none. */
  profile: string | null;
};

const USAGE = `usage: node bench/run.mjs webhooks [options]
  --monitors N   number of monitors that go down within a second (2000)
  --out DIR      output directory (default: docs/benchmarks, only for the default size)
  --profile DIR  write a CPU profile of the worker here
`;

const FULL = 2000;

/** Runs the benchmark; returns the exit code: 1 if a limit is exceeded. */
export async function main({ root, words }: { root: string; words: string[] }): Promise<number> {
  if (words.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const options = readOptions(words, root);
  const figures = await run(root, openPlayground(), options);
  const at = new Date();
  return conclude({
    table: formatTable(figures),
    files: reportFiles('webhooks', { markdown: formatMarkdown(figures, at), figures, at }),
    out: options.out,
    broken: findBrokenLimits(figures),
  });
}

/** Parses the command line. Throws if it is invalid. */
function readOptions(words: string[], root: string): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: words, options: { monitors: text, out: text, profile: text } });
  const monitors = readCount('monitors', values.monitors ?? FULL);
  return {
    monitors,
    out: values.out ?? (monitors === FULL ? join(root, 'docs', 'benchmarks') : null),
    profile: values.profile ?? null,
  };
}

async function run(root: string, directory: string, options: Options): Promise<Figures> {
  log('starting PostgreSQL, the target and the receivers');
  const postgres = await startDatabase(root, directory);
  const script = (name: string, ...args: string[]) =>
    startScript(join(root, 'bench', 'webhooks', `${name}.mjs`), args);
  const target = await script('target');
  const answering = [await script('receiver', 'answering'), await script('receiver', 'answering')];
  const hanging = await script('receiver', 'hanging');
  const reference = await script('reference');

  const environment = {
    ...PHAROS_SETTINGS,
    DATABASE_URL: postgres.url,
    DATABASE_POOL: String(POOL),
    PROBE_REGIONS: REGION,
    CHECK_CONCURRENCY: String(options.monitors),
  };
  const services = await openServices(environment);

  log(`adding ${options.monitors} monitors and three endpoints`);
  const urls = [...answering, hanging].map(urlOf);
  const endpointIds = await addEndpoints(services, options, portOf(target), urls);
  const receivers: Receivers = { answering, hanging, endpointIds, hangingId: endpointIds.at(-1) ?? '' };

  log('starting the worker');
  const worker = await startProcess(root, 'worker', environment, options.profile);
  await checkAll(services);
  await until('every monitor is operational', async () => {
    const operational = await services.db.monitorState.count({ where: { status: 'operational' } });
    return { done: operational === options.monitors, state: `${operational} monitors are operational` };
  });
  await target.ask('hold');
  await checkAll(services);
  await until('every monitor is being checked', async () => {
    const { held } = await target.ask<{ held: number }>('count');
    return { done: held === options.monitors, state: `the target holds ${held} checks` };
  });

  const pids = { worker: worker.pid, postgres: postgres.pid() };
  const { figures, bodies } = await measure(services, pids, receivers, target, options);
  await worker.stop();
  log('posting the same bodies with node:http');
  const answeringUrls = answering.map(urlOf);
  const kept = await postBare(reference, { urls: answeringUrls, bodies, keepAlive: true });
  const fresh = await postBare(reference, { urls: answeringUrls, bodies, keepAlive: false });
  await Promise.all([...answering, hanging, target, reference].map((child) => child.stop()));
  await services.db.$disconnect();
  await postgres.stop();
  return { ...figures, reference: { kept, fresh } };
}

/** Creates the organization, its monitors, and an endpoint per address, in that order. */
async function addEndpoints(
  services: ProcessServices,
  { monitors }: Options,
  targetPort: number,
  urls: string[],
): Promise<string[]> {
  const { organizationId, ctx } = await addOrganization(services);
  const size = { monitors, interval: 300, timeout: 30, hangingEvery: 1 };
  await addMonitors(services, organizationId, size, { answering: [], hanging: targetPort });
  await services.db.monitor.updateMany({ data: { alertThreshold: 1 } });
  const ids: string[] = [];
  for (const url of urls) ids.push((await createWebhook(ctx, createWebhookSchema.parse({ url }))).id);
  return ids;
}

/** Makes every monitor due now. */
async function checkAll({ db, clock }: ProcessServices): Promise<void> {
  await db.probeSchedule.updateMany({ data: { nextCheckAt: clock.now() } });
  await notify(db, 'pharos_checks');
}

/** Makes the target fail, and measures until every delivery to the responding receivers is recorded. */
async function measure(
  { db }: ProcessServices,
  pids: Pids,
  { answering, hanging, endpointIds, hangingId }: Receivers,
  target: Script,
  { monitors }: Options,
): Promise<{ figures: Omit<Figures, 'reference'>; bodies: string[] }> {
  log('the target fails');
  const connections = watchConnections(db);
  const before = readCpu(pids);
  const failedAt = performance.timeOrigin + performance.now();
  await target.ask('fail');
  const answeringIds = endpointIds.filter((id) => id !== hangingId);
  const owed = 2 * monitors * answeringIds.length;
  await until('every delivery is recorded', async () => {
    const counts = await Promise.all(answering.map((receiver) => receiver.ask<{ count: number }>('count')));
    const arrived = counts.reduce((sum, { count }) => sum + count, 0);
    const state = `${arrived} of ${owed} deliveries arrived`;
    if (arrived < owed) return { done: false, state };
    const where = { endpointId: { in: answeringIds }, status: 'delivered' as const };
    return { done: (await db.delivery.count({ where })) === owed, state };
  });
  const after = readCpu(pids);
  const { open, active } = await connections.stop();

  const taken: Arrival[] = [];
  for (const receiver of answering) {
    taken.push(...(await receiver.ask<{ arrivals: Arrival[] }>('take')).arrivals);
  }
  const atOnce: number[] = [];
  for (const receiver of [...answering, hanging]) {
    atOnce.push((await receiver.ask<{ mostOpen: number }>('count')).mostOpen);
  }
  const { seconds, duplicates, ...arrivals } = measureArrivals(taken, failedAt);
  const [recorded, waiting] = [
    await Promise.all(answeringIds.map((id) => countDeliveries(db, id))),
    await countDeliveries(db, hangingId),
  ];
  const arrivedIds = new Set(taken.map(({ id }) => id));
  const known = recorded.flatMap(({ ids }) => [...ids]);
  const deliveries = arrivedIds.size;
  const per = (ms: number) => ms / Math.max(1, deliveries);
  const figures = {
    monitors,
    ...arrivals,
    deliveriesPerEndpoint: 2 * monitors,
    arrived: {
      deliveries,
      lost: owed - known.filter((id) => arrivedIds.has(id)).length,
      duplicates,
      unrecorded: deliveries - recorded.reduce((sum, { delivered }) => sum + delivered, 0),
    },
    hanging: {
      waiting: waiting.pending,
      lost: 2 * monitors - waiting.pending,
    },
    simultaneousAttempts: Math.max(...atOnce),
    rate: {
      perSecond: deliveries / seconds,
      cpuMs: per(after.worker - before.worker),
      postgresCpuMs: per(after.postgres - before.postgres),
    },
    connections: { pool: POOL, open, active },
  };
  return { figures, bodies: [...new Set(taken.map(({ body }) => body))] };
}

function readCpu(pids: Pids): { worker: number; postgres: number } {
  return { worker: cpuOfProcess(pids.worker), postgres: cpuOfServer(pids.postgres) };
}

async function postBare(
  reference: Script,
  wish: { urls: string[]; bodies: string[]; keepAlive: boolean },
): Promise<Rate> {
  const { seconds, cpuMs } = await reference.ask<{ seconds: number; cpuMs: number }>(wish);
  const posts = wish.urls.length * wish.bodies.length;
  return { perSecond: posts / seconds, cpuMs: cpuMs / posts };
}

/** Waits with progress messages, up to a limit: what is missing then shows in the figures. */
async function until(what: string, look: () => Promise<{ done: boolean; state: string }>): Promise<void> {
  const begun = performance.now();
  let toldAt = begun;
  for (;;) {
    const { done, state } = await look();
    const now = performance.now();
    if (done || now - toldAt >= PROGRESS_MS) log(`  ${Math.round((now - begun) / 1000)} s: ${state}`);
    if (done) return;
    if (now - toldAt >= PROGRESS_MS) toldAt = now;
    if (now - begun > PATIENCE_MS) return log(`given up waiting until ${what}`);
    await delay(POLL_MS);
  }
}

const urlOf = (receiver: Script) => `http://127.0.0.1:${portOf(receiver)}/hook`;
