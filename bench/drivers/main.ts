import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@/lib/core/ports';
import type { ProcessServices } from '@/lib/domain/context/services';
import {
  type Child,
  conclude,
  measureLateness,
  openPlayground,
  PHAROS_SETTINGS,
  portOf,
  startDatabase,
  startProcess,
  startScript,
  startTargets,
} from '../playground';
import { addMonitors, addOrganization, openServices, REGION } from '../seed';
import { addDeliveries, measureDeliveries, REFUSALS } from './deliveries';
import { type Options, readOptions, USAGE } from './options';
import { startRealServer } from './real-server';
import { type Figures, findBrokenLimits, formatMarkdown, formatTable } from './report';
import { type BenchServer, startPlayedServer } from './server';

const TIMEOUT_SECONDS = 10;
const SETTLE_MS = 3000;

/** Runs the benchmark; returns the exit code: 1 if a limit is exceeded. */
export async function main({ root, words }: { root: string; words: string[] }): Promise<number> {
  if (words.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const options = readOptions(words, root);
  const figures = await run(root, openPlayground(), options);
  const command = ['npm run -s bench:drivers', ...(words.length > 0 ? ['--', ...words] : [])].join(' ');
  const name = options.inngest === null ? 'drivers.md' : 'inngest.md';
  return conclude({
    table: formatTable(figures),
    files: { [name]: formatMarkdown(figures, { at: new Date(), command }) },
    out: options.out,
    broken: findBrokenLimits(figures),
  });
}

async function run(root: string, directory: string, options: Options): Promise<Figures> {
  console.log('starting PostgreSQL, the targets and the Inngest server');
  const postgres = await startDatabase(root, directory);
  const script = join(root, 'bench', 'drivers', 'failing-receiver.mjs');
  const [targets, receiver, server] = await Promise.all([
    startTargets(root),
    startScript(script, [String(REFUSALS)]),
    options.inngest === null ? startPlayedServer() : startRealServer(options.inngest, directory),
  ]);
  const embedded = {
    ...PHAROS_SETTINGS,
    DATABASE_URL: postgres.url,
    PROBE_REGIONS: REGION,
    TARGET_POLICY: 'private',
    LOG_LEVEL: 'error',
  };
  const services = await openServices(embedded);
  const { organizationId, ctx } = await addOrganization(services);
  const { monitors, interval } = options;
  const size = { monitors, interval, timeout: TIMEOUT_SECONDS, hangingEvery: monitors + 1 };
  await addMonitors(services, organizationId, size, targets.ports);

  console.log(`${monitors} monitors; starting the workers`);
  const port = String(await findFreePort());
  const address = { WORKER_PORT: port, INNGEST_SERVE_ORIGIN: `http://127.0.0.1:${port}` };
  const woken = { ...embedded, ...server.settings, ...address };
  const workers: Child[] = await Promise.all(
    (options.alone ? [woken] : [woken, embedded]).map((environment) =>
      startProcess(root, 'worker', environment),
    ),
  );
  const deliver = () => addDeliveries(ctx, `http://127.0.0.1:${portOf(receiver)}/`, options.deliveries);
  const figures = await measure(services, server, deliver, options);
  await Promise.all(workers.map((worker) => worker.stop()));
  await Promise.all([targets.stop(), receiver.stop(), server.close(), services.db.$disconnect()]);
  await postgres.stop();
  return figures;
}

async function measure(
  services: ProcessServices,
  server: BenchServer,
  deliver: () => Promise<void>,
  { monitors, interval, seconds, alone, wipe, deliveries }: Options,
): Promise<Figures> {
  const runs = server.countRuns();
  await delay(interval * 1000);
  const from = services.clock.now();
  const third = (seconds * 1000) / 3;
  console.log(`measuring for ${seconds} s`);
  const begun = performance.now();
  const until = (ms: number) => delay(Math.max(0, begun + ms - performance.now()));
  if (deliveries > 0) await deliver();
  await until(third);
  if (wipe) {
    console.log('the server is stopped and its data deleted');
    await server.wipe();
  }
  await until(2 * third);
  if (wipe) {
    console.log('the server is running again');
    await server.comeBack();
  }
  await until(3 * third);
  const to = services.clock.now();
  await delay(TIMEOUT_SECONDS * 1000 + SETTLE_MS);
  const mostRunsPerMinute = await runs.stop();
  await services.clock.measure();
  return {
    monitors,
    interval,
    seconds,
    alone,
    wipe,
    server: server.name,
    lateness: await measureLateness(services.db, from, to),
    deliveries: deliveries > 0 ? await measureDeliveries(services.db) : null,
    mostRunsPerMinute,
  };
}
