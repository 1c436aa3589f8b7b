import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessServices } from '@/lib/domain/context/services';
import {
  chooseOutput,
  conclude,
  log,
  measureLateness,
  type Pids,
  readCount,
  readOptions,
  residentMemory,
  startCpuMeter,
  startProcess,
  startTargets,
} from '../playground';
import { addMonitors, addOrganization, type Monitors, openBench, REGION } from '../seed';
import { measureStorage, readCommits, readUpdates, readWalPosition } from './measure-storage';
import { type Figures, findBrokenLimits, formatMarkdown } from './report';

const PROGRESS_MS = 10_000;
const SAMPLE_MS = 500;
/** More than enough time from a timeout to its result in the database. */
const SETTLE_SECONDS = 5;

const USAGE = `usage: node bench/run.mjs checks [options]
  --monitors N   number of monitors (10000)
  --interval N   seconds between two checks of a monitor (60)
  --seconds N    seconds measured after one interval of warm-up (180)
  --out DIR      output directory (default: docs/benchmarks, only without other options)
  --profile DIR  write a CPU profile of the worker here
`;

/** Runs the benchmark; returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const flags = { monitors: text, interval: text, seconds: text, out: text, profile: text };
  const given = readOptions(words, USAGE, flags);
  const size = {
    monitors: readCount('monitors', given.monitors ?? 10_000),
    interval: readCount('interval', given.interval ?? 60),
    timeout: 30,
    hangingEvery: 100,
  };
  const figures = await run(size, readCount('seconds', given.seconds ?? 180), given.profile);
  return conclude({
    name: 'checks',
    markdown: formatMarkdown(figures),
    figures,
    out: chooseOutput(given.out, words),
    broken: findBrokenLimits(figures),
  });
}

async function run(size: Monitors, seconds: number, profile?: string): Promise<Figures> {
  const { environment, services, database } = await openBench({ PROBE_REGIONS: REGION });
  const targets = await startTargets();
  log(`adding ${size.monitors} monitors`);
  const { organizationId } = await addOrganization(services);
  await addMonitors(services, organizationId, size, targets.ports);
  await services.db.$executeRaw`CHECKPOINT`;

  log('starting the worker');
  const worker = await startProcess('worker', environment, profile);
  const figures = await measure(services, { pharos: worker.pid, postgres: database.pid() }, size, seconds);
  // Writes its profile.
  await worker.stop();
  return figures;
}

async function measure(services: ProcessServices, pids: Pids, size: Monitors, seconds: number) {
  const { db, clock } = services;
  const { monitors, interval, timeout, hangingEvery } = size;
  const memory = watchMemory(pids.pharos);
  await wait(services, pids, interval, 'warm-up');
  const meter = startCpuMeter(pids);
  const before = await takeReading(services);
  await wait(services, pids, seconds, 'measuring');
  const cpu = meter();
  const after = await takeReading(services);
  await wait(services, pids, timeout + SETTLE_SECONDS, 'waiting for hanging checks');
  const maxResident = memory.stop();
  await clock.measure();

  const checks = after.rows - before.rows;
  const storage = await measureStorage(db);
  const per = (total: number, rows: number) => total / Math.max(1, rows);
  return {
    monitors,
    interval,
    seconds,
    hanging: Math.floor(monitors / hangingEvery),
    checks,
    lateness: await measureLateness(db, before.at, after.at),
    cpu: { workerPerCheck: per(cpu.pharos, checks), postgresPerCheck: per(cpu.postgres, checks) },
    worker: { residentAtMost: maxResident },
    storage: {
      rows: storage.rows,
      heapPerRow: per(storage.heap, storage.rows),
      indexPerRow: per(storage.index, storage.rows),
      bytesPerRow: per(storage.heap + storage.index, storage.rows),
    },
    walPerCheck: per(after.wal - before.wal, checks),
    commitsPerSecond: (after.commits - before.commits) / seconds,
    updates: after.updates.map((update, index) => ({
      ...update,
      updates: update.updates - (before.updates[index]?.updates ?? 0),
      hot: update.hot - (before.updates[index]?.hot ?? 0),
    })),
  };
}

async function takeReading({ db, clock }: ProcessServices) {
  const at = clock.now();
  const { rows } = await measureStorage(db);
  const [wal, updates, commits] = [await readWalPosition(db), await readUpdates(db), await readCommits(db)];
  return { at, rows, wal, updates, commits };
}

async function wait({ db }: ProcessServices, pids: Pids, seconds: number, what: string): Promise<void> {
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  while (performance.now() < end) {
    await delay(Math.min(PROGRESS_MS, end - performance.now()));
    const { rows } = await measureStorage(db);
    const passed = Math.round((performance.now() - startedAt) / 1000);
    const megabytes = Math.round(residentMemory(pids.pharos) / 1e6);
    log(`${what}: ${passed} of ${seconds} s, ${rows} results, worker ${megabytes} MB`);
  }
}

function watchMemory(pid: number): { stop(): number } {
  let max = 0;
  const timer = setInterval(() => {
    max = Math.max(max, residentMemory(pid));
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return max;
    },
  };
}
