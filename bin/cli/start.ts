import { watch } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, Option } from 'commander';
import { readInngestServer } from '@/inngest/inngest-server';
import { createLogger, type Logger } from '@/lib/core/logger';
import { findFreePort } from '@/lib/core/ports';
import { type Environment, getEnvironment } from '@/lib/env';
import { holdDataDir, provideDatabase } from '../supervisor/provide-database';
import { type Supervised, supervise } from '../supervisor/supervise';
import { waitForHealth } from '../supervisor/wait-for-health';
import { automaticBackupDirectory } from './backup/before-migrations';
import { collectStartGarbage, stopOnSignal } from './child-process';
import { requireFreePort } from './listen-on';
import { formatLogsForPeople } from './observe/pretty-logs';
import { rootPath } from './paths';
import { buildWebApplication, prepareDatabase } from './prepare-database';

/** Source folders and the processes to restart when they change; Next reloads its own part. */
const READERS = new Map([
  ['bin', ['worker', 'web']],
  ['inngest', ['worker']],
  ['lib', ['worker']],
  ['prisma', ['worker', 'web']],
]);

/** Editors may write several files per save. */
const QUIET_MS = 150;

/** `pharos start`. */
export function registerStart(program: Command): void {
  program
    .command('start')
    .description('Run everything: database (embedded unless DATABASE_URL is set), web and worker.')
    .addOption(new Option('--development', 'reload on changes: "npm run dev"').hideHelp())
    .action(({ development = false }) => start(getEnvironment(), development));
}

async function start(environment: Environment, development: boolean): Promise<void> {
  await formatLogsForPeople(environment);
  const log = createLogger(environment.LOG_LEVEL, 'start');
  const stopping = new AbortController();
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  const started = startParts(environment, { development, log, stops, signal: stopping.signal }).catch(
    async (error: unknown) => {
      await stop();
      if (!stopping.signal.aborted) throw error;
    },
  );
  stopOnSignal(async () => {
    stopping.abort();
    // Whatever a start has begun by then is stopped, too.
    await started.catch(() => 'it has failed, and stopped what it had begun');
    await stop();
  });
  await started;
}

type Start = {
  development: boolean;
  log: Logger;
  /** What is running, in the order in which it was started. */
  stops: (() => Promise<void>)[];
  signal: AbortSignal;
};

/** Resolves when everything is ready. Rejects at the signal, like at a failure; then `stops` has what is running. */
async function startParts(
  environment: Environment,
  { development, log, stops, signal }: Start,
): Promise<void> {
  const hold = await holdDataDir(environment);
  stops.push(async () => hold.release());
  await requireFreePort({ host: environment.HOST, port: environment.PORT });
  const worker = await workerAddress(environment);
  await buildWebApplication(development);
  signal.throwIfAborted();
  const database = await provideDatabase(environment, log, signal);
  stops.push(database.stop);
  signal.throwIfAborted();
  const shared = {
    DATABASE_URL: database.url,
    SECRET_KEY: database.keys.SECRET_KEY,
    PREVIOUS_SECRET_KEYS: database.keys.PREVIOUS_SECRET_KEYS.join(),
  };
  const backups = automaticBackupDirectory(environment);
  const preparation = prepareDatabase(shared, { backups });
  stops.push(preparation.stop);
  const greeting = await untilAborted(preparation.greeting, signal);
  const children = supervise(['worker', 'web'], {
    environment: { ...shared, ...worker, ...(development ? { NODE_ENV: 'development' } : {}) },
    flags: development ? ['--development'] : [],
    log,
  });
  stops.push(children.stop);
  await untilAborted(children.ready, signal);
  if (development) stops.push(watchSources(children, log));
  await untilAborted(waitForHealth(environment, log), signal);
  collectStartGarbage();
  process.stdout.write(`${greeting}\n`);
}

/** The result of `work`. Rejects at the signal: then `work` has to be stopped, and its end is not awaited here. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  return Promise.race([work, aborted]);
}

/** Where the worker listens: a free port unless one is set; and its URL if the web process forwards calls of Inngest. */
async function workerAddress(environment: Environment): Promise<Record<string, string>> {
  const { HOST, WORKER_PORT = 0 } = environment;
  if (WORKER_PORT !== 0) {
    await requireFreePort({ host: HOST, port: WORKER_PORT, variable: 'WORKER_PORT' });
  }
  if (readInngestServer(environment) === null) return { WORKER_PORT: String(WORKER_PORT) };
  const port = WORKER_PORT || (await findFreePort());
  const isEverywhere = HOST === '::' || HOST === '0.0.0.0';
  const host = isEverywhere ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return { WORKER_PORT: String(port), WORKER_URL: `http://${host}:${port}` };
}

/** For `npm run dev`: rebuilds the bundle when its sources change, and restarts the affected processes. */
function watchSources(children: Pick<Supervised, 'restart'>, log: Logger): () => Promise<void> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let building = Promise.resolve();
  const rebuild = async () => {
    const verbs = new Set([...changed].flatMap((folder) => READERS.get(folder) ?? []));
    changed.clear();
    try {
      const { buildCommands, buildImportReader } = await import(
        pathToFileURL(join(rootPath, 'bin', 'build.mjs')).href
      );
      await buildImportReader();
      if (!(await buildCommands())) return;
      log.info({ processes: [...verbs] }, 'sources changed: restarting');
      for (const verb of verbs) children.restart(verb);
    } catch (err) {
      log.error({ err }, 'build failed; processes keep running the previous code');
    }
  };
  const watchers = [...READERS.keys()].map((folder) =>
    watch(join(rootPath, folder), { recursive: true }, () => {
      changed.add(folder);
      clearTimeout(timer);
      timer = setTimeout(() => {
        building = building.then(rebuild);
      }, QUIET_MS);
    }),
  );
  return async () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    await building;
  };
}
