import type { ProcessServices } from '@/lib/domain/context/services';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { notify } from '@/lib/platform/db/listen';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import {
  chooseOutput,
  conclude,
  log,
  portOf,
  readCount,
  readOptions,
  type Script,
  startProcess,
  startScript,
} from '../playground';
import { addMonitors, addOrganization, openBench, REGION } from '../seed';
import { measure, POOL, type Receivers, until } from './measure';
import { type Figures, findBrokenLimits, formatMarkdown, type Rate } from './report';

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
  const size = { monitors, interval: 300, timeout: 30 };
  await addMonitors(services, organizationId, size, () => `http://127.0.0.1:${targetPort}/`);
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

async function postBare(
  reference: Script,
  message: { urls: string[]; bodies: string[]; keepAlive: boolean },
): Promise<Rate> {
  const { seconds, cpuMs } = await reference.request<{ seconds: number; cpuMs: number }>(message);
  const posts = message.urls.length * message.bodies.length;
  return { perSecond: posts / seconds, cpuMs: cpuMs / posts };
}

const urlOf = (receiver: Script) => `http://127.0.0.1:${portOf(receiver)}/hook`;
