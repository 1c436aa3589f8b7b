import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestInngest, type TestInngest } from '@/inngest/testing/inngest-server';
import { KEYS } from '@/inngest/testing/sign';
import { checkSecretKey } from '@/lib/context/check-secret-key';
import { createServices, type ProcessServices } from '@/lib/context/create-services';
import { findFreePort } from '@/lib/core/ports';
import { parseEnvironment } from '@/lib/env';
import { createOrganization } from '@/lib/organizations/create-organization';
import { addMonitors, REGION } from '../checks/add-monitors';
import { measureLateness } from '../checks/measure-lateness';
import { type Child, startTargets, startWorker } from '../checks/processes';
import { openPlayground, startDatabase } from '../playground';
import { type Options, readOptions, USAGE } from './options';
import { type Figures, formatMarkdown, formatTable } from './report';

const MINUTE = 60_000;
const TIMEOUT_SECONDS = 10;
const SETTLE_MS = 3000;

/** Runs the benchmark; answers the exit code: 1 when a slot was checked twice, or more runs were needed than promised. */
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
    await writeFile(join(options.out, 'drivers.md'), formatMarkdown(figures, new Date()));
    console.log(`written to ${options.out}`);
  }
  return figures.lateness.doubled > 0 || figures.mostRunsPerMinute > 20 ? 1 : 0;
}

async function run(root: string, directory: string, options: Options): Promise<Figures> {
  console.log('starting PostgreSQL, the targets and the server that plays Inngest');
  const postgres = await startDatabase(root, directory);
  const [targets, inngest] = await Promise.all([startTargets(root), startTestInngest()]);
  const embedded = {
    DATABASE_URL: postgres.url,
    SECRET_KEY: 'a key for benchmarks '.repeat(2),
    PROBE_REGIONS: REGION,
    LOG_LEVEL: 'error',
  };
  const services = createServices(parseEnvironment(embedded), 'pharos benchmark');
  await services.clock.measure();
  await checkSecretKey(services);
  const owner = { name: 'Bench', email: 'bench@example.com', password: 'correct horse battery' };
  const { organizationId } = await createOrganization(services, { plan: 'enterprise', ...owner });
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
  const woken = { ...embedded, ...KEYS, ...address, INNGEST_BASE_URL: inngest.url };
  const workers: Child[] = await Promise.all(
    (options.alone ? [woken] : [woken, embedded]).map((environment) => startWorker(root, environment, null)),
  );
  const figures = await measure(services, inngest, options);
  await Promise.all(workers.map((worker) => worker.stop()));
  await Promise.all([targets.stop(), inngest.close(), services.db.$disconnect()]);
  await postgres.stop();
  return figures;
}

async function measure(
  services: ProcessServices,
  inngest: TestInngest,
  { monitors, interval, seconds, alone, wipe }: Options,
): Promise<Figures> {
  const ticks = startTicking(inngest);
  await delay(interval * 1000);
  const from = services.clock.now();
  const third = (seconds * 1000) / 3;
  console.log(`measuring for ${seconds} s`);
  await delay(third);
  if (wipe) {
    console.log('the server forgets everything and is gone');
    inngest.wipe();
  }
  await delay(third);
  if (wipe) {
    console.log('the server is back');
    inngest.comeBack();
  }
  await delay(third);
  const until = services.clock.now();
  await delay(TIMEOUT_SECONDS * 1000 + SETTLE_MS);
  const mostRunsPerMinute = ticks.stop();
  await services.clock.measure();
  const lateness = await measureLateness(services.db, from, until);
  return { monitors, interval, seconds, alone, wipe, lateness, mostRunsPerMinute };
}

/** Fires the crons at every full minute, as the server does; `stop` answers the most runs of a minute. */
function startTicking(inngest: TestInngest): { stop(): number } {
  let most = 0;
  let seen = inngest.runs.length;
  let timer: NodeJS.Timeout;
  const arm = () => {
    timer = setTimeout(tick, MINUTE - (Date.now() % MINUTE));
  };
  const tick = () => {
    most = Math.max(most, inngest.runs.length - seen);
    seen = inngest.runs.length;
    inngest.tick();
    arm();
  };
  arm();
  return {
    stop: () => {
      clearTimeout(timer);
      return Math.max(most, inngest.runs.length - seen);
    },
  };
}
