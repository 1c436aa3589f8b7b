import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessServices } from '@/lib/domain/context/services';
import {
  conclude,
  cpuOfProcess,
  cpuOfServer,
  log,
  measureLateness,
  openPlayground,
  PHAROS_SETTINGS,
  reportFiles,
  residentMemory,
  startDatabase,
  startProcess,
  startTargets,
} from '../playground';
import { addMonitors, addOrganization, openServices, REGION } from '../seed';
import { measureStorage, readCommits, readUpdates, readWalPosition } from './measure-storage';
import { type Options, readOptions, USAGE } from './options';
import { type Figures, findBrokenLimits, formatMarkdown, formatTable } from './report';

const PROGRESS_MS = 10_000;
const SAMPLE_MS = 500;
/** More than enough time from a timeout to its result in the database. */
const SETTLE_SECONDS = 5;

type Pids = { worker: number; postgres: number };

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
    files: reportFiles('checks', { markdown: formatMarkdown(figures, at), figures, at }),
    out: options.out,
    broken: findBrokenLimits(figures),
  });
}

async function run(root: string, directory: string, options: Options): Promise<Figures> {
  log('starting PostgreSQL and the targets');
  const postgres = await startDatabase(root, directory);
  const targets = await startTargets(root);
  const environment = { ...PHAROS_SETTINGS, DATABASE_URL: postgres.url, PROBE_REGIONS: REGION };
  const services = await openServices(environment);

  log(`adding ${options.monitors} monitors`);
  const { organizationId } = await addOrganization(services);
  await addMonitors(services, organizationId, options, targets.ports);
  await services.db.$executeRaw`CHECKPOINT`;

  log('starting the worker');
  const worker = await startProcess(root, 'worker', environment, options.profile);
  const figures = await measure(services, { worker: worker.pid, postgres: postgres.pid() }, options);
  await worker.stop();
  await Promise.all([targets.stop(), services.db.$disconnect()]);
  await postgres.stop();
  return figures;
}

async function measure(services: ProcessServices, pids: Pids, options: Options): Promise<Figures> {
  const { db, clock } = services;
  const memory = watchMemory(pids.worker);
  await wait(services, pids, options.interval, 'warm-up');
  const before = await takeReading(services, pids);
  await wait(services, pids, options.seconds, 'measuring');
  const after = await takeReading(services, pids);
  await wait(services, pids, options.timeout + SETTLE_SECONDS, 'waiting for hanging checks');
  const residentAtMost = memory.stop();
  await clock.measure();

  const checks = after.rows - before.rows;
  const storage = await measureStorage(db);
  const per = (total: number, rows: number) => total / Math.max(1, rows);
  return {
    monitors: options.monitors,
    interval: options.interval,
    seconds: options.seconds,
    hanging: Math.floor(options.monitors / options.hangingEvery),
    checks,
    lateness: await measureLateness(db, before.at, after.at),
    cpu: {
      workerPerCheck: per(after.workerCpu - before.workerCpu, checks),
      postgresPerCheck: per(after.postgresCpu - before.postgresCpu, checks),
    },
    worker: { residentAtMost },
    storage: {
      rows: storage.rows,
      heapPerRow: per(storage.heap, storage.rows),
      indexPerRow: per(storage.index, storage.rows),
      bytesPerRow: per(storage.heap + storage.index, storage.rows),
    },
    walPerCheck: per(after.wal - before.wal, checks),
    commitsPerSecond: (after.commits - before.commits) / options.seconds,
    updates: after.updates.map((update, index) => ({
      ...update,
      updates: update.updates - (before.updates[index]?.updates ?? 0),
      hot: update.hot - (before.updates[index]?.hot ?? 0),
    })),
  };
}

async function takeReading({ db, clock }: ProcessServices, pids: Pids) {
  const at = clock.now();
  const workerCpu = cpuOfProcess(pids.worker);
  const postgresCpu = cpuOfServer(pids.postgres);
  const { rows } = await measureStorage(db);
  const [wal, updates, commits] = [await readWalPosition(db), await readUpdates(db), await readCommits(db)];
  return { at, workerCpu, postgresCpu, rows, wal, updates, commits };
}

async function wait({ db }: ProcessServices, pids: Pids, seconds: number, what: string): Promise<void> {
  const begun = performance.now();
  const end = begun + seconds * 1000;
  while (performance.now() < end) {
    await delay(Math.min(PROGRESS_MS, end - performance.now()));
    const { rows } = await measureStorage(db);
    const passed = Math.round((performance.now() - begun) / 1000);
    const megabytes = Math.round(residentMemory(pids.worker) / 1e6);
    log(`${what}: ${passed} of ${seconds} s, ${rows} results, worker ${megabytes} MB`);
  }
}

function watchMemory(pid: number): { stop(): number } {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentMemory(pid));
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}
