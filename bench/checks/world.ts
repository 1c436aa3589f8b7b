import { setTimeout as delay } from 'node:timers/promises';
import { IS_UNCONTESTED } from '@/lib/domain/monitors/last-checks';
import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';
import {
  type Child,
  log,
  type Pids,
  residentMemory,
  startCpuMeter,
  startProcess,
  startScript,
} from '../playground';
import { addMonitors, addOrganization, openBench } from '../seed';
import { type Measurable, measurePhase, PATIENCE_INTERVALS, untilStatus } from './phase';

/** The ports of scripts/targets.mjs. */
export type Ports = { http: number[]; https: number[]; tcp: number[]; hanging: number; dns: number };

/** What a worker checks, and how it is set up. Rows of the same setting share a world. */
export type Setting = {
  /** As in the report. */
  what: string;
  type: 'http' | 'tcp' | 'dns';
  monitors: number;
  /** Seconds; also of `timeout`. */
  interval: number;
  timeout: number;
  /** One target in so many never responds; 0: none. */
  hangingEvery: number;
  /** How many regions check each monitor: 1, if not given. */
  regions?: number;
  alertThreshold?: number;
  server: 'http' | 'https' | 'tcp';
  urlOf(number: number, port: number): string;
  /** Settings of the worker; `dnsServer` knows every name below bench.test. */
  environment?(dnsServer: string): Record<string, string>;
  /** Measure this many seconds of a worker without monitors first. */
  idleSeconds?: number;
};

/** A database with monitors, their targets, and running workers. */
export type World = Awaited<ReturnType<typeof openWorld>>;

const IDLE_WARM_UP_MS = 5000;
const PROGRESS_MS = 10_000;
const SAMPLE_MS = 500;

/** Opens the world of a setting, with one worker to which every monitor has become routine, but for those that hang. */
export async function openWorld(setting: Setting, profile?: string) {
  const { monitors, interval, timeout, type, hangingEvery, server, alertThreshold } = setting;
  const regions = BUILT_IN_REGION_IDS.slice(0, setting.regions ?? 1);
  const targets = await startScript('checks/scripts/targets.mjs');
  const ports = targets.hello as Ports;
  const dnsServer = `127.0.0.1:${ports.dns}`;
  const { directory, services, database, environment, close } = await openBench({
    PROBE_REGIONS: regions.join(),
    NETWORK_CANARY: `127.0.0.1:${ports.http[0]}`,
    DNS_SERVERS: dnsServer,
    ...setting.environment?.(dnsServer),
  });
  const floor = await startScript('checks/scripts/floor.mjs', [dnsServer]);
  const { organizationId, ctx } = await addOrganization(services);
  const startWorker = () => startProcess('worker', environment, profile);
  const idleMsPerSecond = await measureIdle(setting, startWorker, database.pid());

  const urlOf = (number: number) => {
    const hangs = hangingEvery > 0 && (number + 1) % hangingEvery === 0;
    const open = ports[server];
    return setting.urlOf(number, hangs ? ports.hanging : (open[number % open.length] ?? 0));
  };
  log(`adding ${monitors} monitors`);
  await addMonitors(
    services,
    organizationId,
    { monitors, interval, timeout, type, regions, alertThreshold },
    urlOf,
  );
  await services.db.$executeRaw`CHECKPOINT`;

  log('starting the worker');
  const workers: Child[] = [await startWorker()];
  const memory = watchMemory(() => workers[0]?.pid ?? 0);
  const measurable = {
    services,
    pids: (): Pids => ({ pharos: workers[0]?.pid ?? 0, postgres: database.pid() }),
    /** Waits with progress messages. */
    wait: (seconds: number, what: string) => wait(services.db, seconds, what),
  };
  const hanging = hangingEvery > 0 ? Math.floor(monitors / hangingEvery) : 0;
  const births = await measurePhase(measurable, () =>
    untilStatus(services.db, 'operational', { monitors, interval, others: hanging }),
  );
  await untilRoutine(measurable, hanging, interval);
  // The first results changed every monitor. What the server does about that later is not part of the checks.
  await vacuumChanged(services.db);
  return {
    ...measurable,
    setting,
    /** The first checks of all monitors, which are an hour overdue and spread over one interval. */
    births,
    /** Deleted with the world. */
    directory,
    /** The settings of its workers. */
    environment,
    ctx,
    ports,
    targets,
    floor,
    urlOf,
    /** CPU of a worker without monitors; null unless the setting asks for it. */
    idleMsPerSecond,
    /** The first one is measured. */
    workers,
    startWorker,
    /** The maximum resident memory of the worker so far, in bytes. */
    maxResident: memory.max,
    /** Stops the workers, which write their profiles, and deletes everything. */
    close: async () => {
      memory.stop();
      await Promise.all([...workers, floor, targets].map((child) => child.stop()));
      await close();
    },
  };
}

/** As the server does by itself: a table that it knows to be empty gets plans for empty tables, which the first outage would keep. */
async function vacuumChanged(db: Database): Promise<void> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables WHERE n_live_tup > 0`;
  await db.$executeRawUnsafe(`VACUUM (ANALYZE) ${tables.map(({ name }) => name).join(', ')}`);
}

type Database = Awaited<ReturnType<typeof openBench>>['services']['db'];

/** One more round, at least: what the first one left to decide is decided, and the schedule is even. */
async function untilRoutine(
  { services: { db }, wait }: Measurable,
  hanging: number,
  interval: number,
): Promise<void> {
  for (let round = 0; round < PATIENCE_INTERVALS; round++) {
    await wait(interval, 'until every monitor is routine');
    const [row] = await db.$queryRaw<{ contested: number }[]>`
      SELECT count(*)::int AS contested FROM monitor_state WHERE NOT ${IS_UNCONTESTED}`;
    if ((row?.contested ?? 0) <= hanging) return;
  }
  throw new Error('the monitors did not become routine');
}

async function measureIdle(
  { idleSeconds = 0 }: Setting,
  startWorker: () => Promise<Child>,
  postgres: number,
): Promise<number | null> {
  if (idleSeconds === 0) return null;
  log(`measuring a worker without monitors for ${idleSeconds} s`);
  const worker = await startWorker();
  await delay(IDLE_WARM_UP_MS);
  const meter = startCpuMeter({ pharos: worker.pid, postgres });
  await delay(idleSeconds * 1000);
  const { pharos } = meter();
  await worker.stop();
  return pharos / idleSeconds;
}

async function wait(db: Database, seconds: number, what: string): Promise<void> {
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  while (performance.now() < end) {
    await delay(Math.min(PROGRESS_MS, end - performance.now()));
    const passed = Math.round((performance.now() - startedAt) / 1000);
    log(`  ${what}: ${passed} of ${seconds} s, ${await countInserted(db)} results`);
  }
}

/** Results stored so far, as of the last second. Cheap: counting rows would cost more than storing them. */
async function countInserted(db: Database): Promise<number> {
  const rows = await db.$queryRaw<{ inserted: number }[]>`
    SELECT sum(n_tup_ins)::float8 AS inserted FROM pg_stat_user_tables
     WHERE schemaname = 'raw' AND relname LIKE 'check_result%'`;
  return rows[0]?.inserted ?? 0;
}

function watchMemory(pid: () => number) {
  let max = 0;
  const timer = setInterval(() => {
    max = Math.max(max, residentMemory(pid()));
  }, SAMPLE_MS);
  return { max: () => max, stop: () => clearInterval(timer) };
}
