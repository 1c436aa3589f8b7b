import type { Command } from 'commander';
import { readInngestServer } from '@/inngest/inngest-server';
import { checkSecretKey } from '@/lib/context/check-secret-key';
import { createServices } from '@/lib/context/create-services';
import { createLogger } from '@/lib/core/logger';
import { findFreePort } from '@/lib/core/ports';
import { migrate } from '@/lib/db/migrate';
import { type Environment, getEnvironment } from '@/lib/env';
import { isSetUpOpen, setUpToken } from '@/lib/organizations/set-up';
import { holdDataDir, provideDatabase } from '../supervisor/provide-database';
import { supervise } from '../supervisor/supervise';
import { waitForHealth } from '../supervisor/wait-for-health';
import { buildWebApplication } from './build-web-application';
import { stopOnSignal } from './child-process';
import { requireFreePort } from './listen-on';
import { migrationsPath } from './paths';
import { publicUrl } from './public-url';

/** `pharos start`. */
export function registerStart(program: Command): void {
  program
    .command('start')
    .description('Run everything: database (embedded unless DATABASE_URL is set), web and worker.')
    .action(() => start(getEnvironment()));
}

async function start(environment: Environment): Promise<void> {
  const log = createLogger(environment.LOG_LEVEL, 'start');
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  stopOnSignal(stop);
  try {
    const hold = await holdDataDir(environment);
    stops.push(async () => hold.release());
    await requireFreePort({ host: environment.HOST, port: environment.PORT });
    const worker = await workerAddress(environment);
    await buildWebApplication();
    const database = await provideDatabase(environment, log);
    stops.push(database.stop);
    const { url, keys } = database;
    await migrate({ url, directory: migrationsPath });
    const greeting = await prepareGreeting({ ...environment, ...keys, DATABASE_URL: url });
    const children = supervise(['worker', 'web'], {
      environment: {
        DATABASE_URL: url,
        SECRET_KEY: keys.SECRET_KEY,
        PREVIOUS_SECRET_KEYS: keys.PREVIOUS_SECRET_KEYS.join(),
        ...worker,
      },
      log,
    });
    stops.push(children.stop);
    await children.ready;
    await waitForHealth(environment);
    process.stdout.write(`${greeting}\n`);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where the worker listens for Inngest, if that is to wake it; the web process passes calls on to it. Throws StartupError. */
async function workerAddress(environment: Environment): Promise<Record<string, string>> {
  if (readInngestServer(environment) === null) return {};
  const { HOST, WORKER_PORT } = environment;
  if (WORKER_PORT !== undefined) {
    await requireFreePort({ host: HOST, port: WORKER_PORT, variable: 'WORKER_PORT' });
  }
  const port = WORKER_PORT ?? (await findFreePort());
  const isEverywhere = HOST === '::' || HOST === '0.0.0.0';
  const host = isEverywhere ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return { WORKER_PORT: String(port), WORKER_URL: `http://${host}:${port}` };
}

/** The line that is printed when all is ready; a fresh install's address carries the set-up token. */
async function prepareGreeting(environment: Environment): Promise<string> {
  const services = createServices(environment, 'pharos start');
  try {
    await checkSecretKey(services);
    const path = (await isSetUpOpen(services.db)) ? `/setup?token=${setUpToken(services.keyring)}` : '';
    return `${environment.SERVICE_NAME} is ready at ${publicUrl(environment)}${path}`;
  } finally {
    await services.db.$disconnect();
  }
}
