import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessServices } from '@/lib/domain/context/services';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { notify } from '@/lib/platform/db/listen';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import {
  chooseOutput,
  conclude,
  log,
  type Pids,
  portOf,
  readCount,
  readOptions,
  type Script,
  startCpuMeter,
  startProcess,
  startScript,
} from '../playground';
import { addMonitors, addOrganization, openBench, REGION } from '../seed';
import { type Arrival, countDeliveries, measureArrivals, watchConnections } from './measure-deliveries';
import { type Figures, findBrokenLimits, formatMarkdown, type Rate } from './report';

const POLL_MS = 100;
const PROGRESS_MS = 2000;
/** Longer than any run needs. */
const PATIENCE_MS = 90_000;
const POOL = 10;

type Receivers = { responding: Script[]; hanging: Script; endpointIds: string[]; hangingId: string };

const USAGE = `usage: node bench/run.mjs webhooks [options]
  --monitors N   number of monitors that go down within a second (2000)
  --out DIR      output directory (default: docs/benchmarks, only without other options)
  --profile DIR  write a CPU profile of the worker here
`;

/** Runs the benchmark; returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const given = readOptions(words, USAGE, { monitors: text, out: text, profile: text });
  const figures = await run(readCount('monitors', given.monitors ?? 2000), given.profile);
  return conclude({
    name: 'webhooks',
    markdown: formatMarkdown(figures),
    figures,
    out: chooseOutput(given.out, words),
    broken: findBrokenLimits(figures),
  });
}

async function run(monitors: number, profile?: string): Promise<Figures> {
  const { database, environment, services } = await openBench({
    DATABASE_POOL: String(POOL),
    PROBE_REGIONS: REGION,
    CHECK_CONCURRENCY: String(monitors),
  });
  const script = (name: string, ...args: string[]) => startScript(`webhooks/${name}.mjs`, args);
  const target = await script('target');
  const responding = [await script('receiver', 'responding'), await script('receiver', 'responding')];
  const hanging = await script('receiver', 'hanging');
  const reference = await script('reference');

  log(`adding ${monitors} monitors and three endpoints`);
  const urls = [...responding, hanging].map(urlOf);
  const endpointIds = await addEndpoints(services, monitors, portOf(target), urls);
  const receivers: Receivers = { responding, hanging, endpointIds, hangingId: endpointIds.at(-1) ?? '' };

  log('starting the worker');
  const worker = await startProcess('worker', environment, profile);
  await checkAll(services);
  await until('every monitor is operational', async () => {
    const operational = await services.db.monitorState.count({ where: { status: 'operational' } });
    return { done: operational === monitors, state: `${operational} monitors are operational` };
  });
  await target.request('hold');
  await checkAll(services);
  await until('every monitor is being checked', async () => {
    const { held } = await target.request<{ held: number }>('count');
    return { done: held === monitors, state: `the target holds ${held} checks` };
  });

  const pids = { pharos: worker.pid, postgres: database.pid() };
  const { figures, bodies } = await measure(services, pids, receivers, target, monitors);
  // Writes its profile, and leaves the CPU to the reference.
  await worker.stop();
  log('posting the same bodies with node:http');
  const respondingUrls = responding.map(urlOf);
  const kept = await postBare(reference, { urls: respondingUrls, bodies, keepAlive: true });
  const fresh = await postBare(reference, { urls: respondingUrls, bodies, keepAlive: false });
  return { ...figures, reference: { kept, fresh } };
}

/** Creates the organization, its monitors, and an endpoint per address, in that order. */
async function addEndpoints(
  services: ProcessServices,
  monitors: number,
  targetPort: number,
  urls: string[],
): Promise<string[]> {
  const { organizationId, ctx } = await addOrganization(services);
  const size = { monitors, interval: 300, timeout: 30, hangingEvery: 1 };
  await addMonitors(services, organizationId, size, { responding: [], hanging: targetPort });
  await services.db.monitor.updateMany({ data: { alertThreshold: 1 } });
  const ids: string[] = [];
  for (const url of urls) ids.push((await createWebhook(ctx, createWebhookSchema.parse({ url }))).id);
  return ids;
}

/** Schedules a check of every monitor now. */
async function checkAll({ db, clock }: ProcessServices): Promise<void> {
  await db.probeSchedule.updateMany({ data: { nextCheckAt: clock.now() } });
  await notify(db, 'pharos_checks');
}

/** Lets the target fail, and measures until every delivery to the responding receivers is recorded. */
async function measure(
  { db }: ProcessServices,
  pids: Pids,
  { responding, hanging, endpointIds, hangingId }: Receivers,
  target: Script,
  monitors: number,
): Promise<{ figures: Omit<Figures, 'reference'>; bodies: string[] }> {
  log('the target fails');
  const connections = watchConnections(db);
  const meter = startCpuMeter(pids);
  const failedAt = performance.timeOrigin + performance.now();
  await target.request('fail');
  const respondingIds = endpointIds.filter((id) => id !== hangingId);
  const expected = 2 * monitors * respondingIds.length;
  await until('every delivery is recorded', async () => {
    const counts = await Promise.all(
      responding.map((receiver) => receiver.request<{ count: number }>('count')),
    );
    const arrived = counts.reduce((sum, { count }) => sum + count, 0);
    const state = `${arrived} of ${expected} deliveries arrived`;
    if (arrived < expected) return { done: false, state };
    const where = { endpointId: { in: respondingIds }, status: 'delivered' as const };
    return { done: (await db.delivery.count({ where })) === expected, state };
  });
  const cpu = meter();
  const { open, active } = await connections.stop();

  const taken: Arrival[] = [];
  for (const receiver of responding) {
    taken.push(...(await receiver.request<{ arrivals: Arrival[] }>('take')).arrivals);
  }
  const simultaneous: number[] = [];
  for (const receiver of [...responding, hanging]) {
    simultaneous.push((await receiver.request<{ maxOpen: number }>('count')).maxOpen);
  }
  const { seconds, duplicates, ...arrivals } = measureArrivals(taken, failedAt);
  const recorded = await Promise.all(respondingIds.map((id) => countDeliveries(db, id)));
  const { pending } = await countDeliveries(db, hangingId);
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
      lost: expected - known.filter((id) => arrivedIds.has(id)).length,
      duplicates,
      unrecorded: deliveries - recorded.reduce((sum, { delivered }) => sum + delivered, 0),
    },
    hanging: { waiting: pending, lost: 2 * monitors - pending },
    simultaneousAttempts: Math.max(...simultaneous),
    rate: {
      perSecond: deliveries / seconds,
      cpuMs: per(cpu.pharos),
      postgresCpuMs: per(cpu.postgres),
    },
    connections: { pool: POOL, open, active },
  };
  return { figures, bodies: [...new Set(taken.map(({ body }) => body))] };
}

async function postBare(
  reference: Script,
  message: { urls: string[]; bodies: string[]; keepAlive: boolean },
): Promise<Rate> {
  const { seconds, cpuMs } = await reference.request<{ seconds: number; cpuMs: number }>(message);
  const posts = message.urls.length * message.bodies.length;
  return { perSecond: posts / seconds, cpuMs: cpuMs / posts };
}

/** Waits with progress messages, up to a limit: the figures then show what is missing. */
async function until(what: string, look: () => Promise<{ done: boolean; state: string }>): Promise<void> {
  const startedAt = performance.now();
  let loggedAt = startedAt;
  for (;;) {
    const { done, state } = await look();
    const now = performance.now();
    if (done || now - loggedAt >= PROGRESS_MS) {
      log(`  ${Math.round((now - startedAt) / 1000)} s: ${state}`);
      loggedAt = now;
    }
    if (done) return;
    if (now - startedAt > PATIENCE_MS) return log(`stopped waiting until ${what}`);
    await delay(POLL_MS);
  }
}

const urlOf = (receiver: Script) => `http://127.0.0.1:${portOf(receiver)}/hook`;
