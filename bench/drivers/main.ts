import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@/lib/core/ports';
import { checkSecretKey, createServices, type ProcessServices } from '@/lib/domain/context/services';
import { createOrganization } from '@/lib/domain/organizations/create-organization';
import { parseEnvironment } from '@/lib/env';
import { addMonitors, REGION } from '../checks/add-monitors';
import { measureLateness } from '../checks/measure-lateness';
import { type Child, type Script, startScript, startTargets, startWorker } from '../checks/processes';
import { openPlayground, startDatabase } from '../playground';
import { addDeliveries, measureDeliveries, REFUSALS } from './deliveries';
import { type Options, readOptions, USAGE } from './options';
import { startRealServer } from './real-server';
import { type Figures, findBrokenLimits, formatMarkdown, formatTable } from './report';
import { type BenchServer, startPlayedServer } from './server';

const TIMEOUT_SECONDS = 10;
const SETTLE_MS = 3000;

/** Runs the benchmark; answers the exit code: 1 for a broken limit. */
export async function main({ root, words }: { root: string; words: string[] }): Promise<number> {
  if (words.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const options = readOptions(words, root);
  const directory = openPlayground();

  const figures = await run(root, directory, options);
  console.log(`\n${formatTable(figures)}\n`);
  if (options.out !== null) {
    await mkdir(options.out, { recursive: true });
    await writeFile(
      join(options.out, options.inngest === null ? 'drivers.md' : 'inngest.md'),
      formatMarkdown(figures, {
        at: new Date(),
        command: ['npm run -s bench:drivers', ...(words.length > 0 ? ['--', ...words] : [])].join(' '),
      }),
    );
    console.log(`written to ${options.out}`);
  }
  const broken = findBrokenLimits(figures);
  for (const limit of broken) console.log(`broken: ${limit}`);
  return broken.length > 0 ? 1 : 0;
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
    DATABASE_URL: postgres.url,
    SECRET_KEY: 'a key for benchmarks '.repeat(2),
    PROBE_REGIONS: REGION,
    TARGET_POLICY: 'private',
    LOG_LEVEL: 'error',
  };
  const services = createServices(parseEnvironment(embedded), 'pharos benchmark');
  await services.clock.measure();
  await checkSecretKey(services);
  const owner = { name: 'Bench', email: 'bench@example.com', password: 'correct horse battery' };
  const { organizationId, userId } = await createOrganization(services, { plan: 'enterprise', ...owner });
  const { monitors, interval } = options;
  const size = { monitors, interval, seconds: 0, timeout: TIMEOUT_SECONDS, out: null, profile: null };
  await addMonitors(services, organizationId, { ...size, hangingEvery: monitors + 1 }, targets.ports);

  console.log(`${monitors} monitors; starting the workers`);
  const port = String(await findFreePort());
  const address = {
    HOST: '127.0.0.1',
    WORKER_PORT: port,
    INNGEST_SERVE_ORIGIN: `http://127.0.0.1:${port}`,
  };
  const woken = { ...embedded, ...server.settings, ...address };
  const workers: Child[] = await Promise.all(
    (options.alone ? [woken] : [woken, embedded]).map((environment) => startWorker(root, environment, null)),
  );
  const ctx = { ...services, organizationId, actor: { kind: 'user', userId, role: 'owner' } as const };
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
    console.log('the server forgets everything and is gone');
    await server.wipe();
  }
  await until(2 * third);
  if (wipe) {
    console.log('the server is back');
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

const portOf = ({ hello }: Script) => (hello as { port: number }).port;
