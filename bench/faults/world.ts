import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestInngest, type TestInngest } from '@/inngest/testing/inngest-server';
import { KEYS } from '@/inngest/testing/sign';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';
import { mountTinyDisk, type TinyDisk } from '@/lib/testing/tiny-disk';
import { log, openPlayground, PHAROS_SETTINGS, root, startDatabase } from '../playground';
import { type Actor, type ActorOptions, createActor, createLaunchedActor } from './actors';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy';
import type { WatchedMonitor } from './observations';
import { ORGANIZATIONS, type Plan, REGIONS, type Region } from './plan';
import { type Receivers, startReceivers } from './receivers';
import { sourceOf, startTargets, type Targets } from './targets';
import { keepCommitTimes, makeDatabaseVirtual, startVirtualTime, type VirtualTime } from './virtual-time';

const WORKERS_PER_REGION = 2;
/** The region whose workers know no database: each reaches one of the webs. */
const PROBED_REGION: Region = 'ap-southeast';
/** Room for PostgreSQL and its log of an hour. */
const DISK_MEGABYTES = 1024;
const SETTINGS = {
  // An empty variable counts as unset, and wins over a developer's .env.
  ...Object.fromEntries(VARIABLE_NAMES.map((name) => [name, ''])),
  ...PHAROS_SETTINGS,
};

/** Everything of a run: the processes under test, what they talk to, and the only ways in. */
export type World = {
  directory: string;
  time: VirtualTime;
  database: Awaited<ReturnType<typeof startDatabase>>;
  /** The database without the proxy and without virtual time. */
  directUrl: string;
  /** Where the database lives, if that is a disk of limited size. */
  disk: TinyDisk | null;
  proxy: DatabaseProxy;
  /** The first worker and the first web are processes of the launcher. */
  launcher: Actor;
  workers: Actor[];
  webs: (Actor & { origin: string })[];
  targets: Targets;
  receivers: Receivers;
  /** Wakes the second worker of each region; the first one wakes itself. */
  inngest: TestInngest;
  /** Those that were created, as the run continues. */
  monitors: WatchedMonitor[];
  /** One key per organization. */
  apiKeys: string[];
  close(): Promise<void>;
};

/** Starts PostgreSQL behind a proxy, targets, receivers, two webs, and two workers in each region. */
export async function startWorld(plan: Plan, { factor }: { factor: number }): Promise<World> {
  const directory = openPlayground();
  const disk = await mountTinyDisk(DISK_MEGABYTES);
  log(
    `starting PostgreSQL${disk === null ? '; a full disk cannot be tried without permission to mount' : ''}`,
  );
  const database = await startDatabase(disk?.directory ?? directory);
  let isClosed = false;
  // Interrupted, it would outlive its disk.
  process.prependOnceListener('exit', () => !isClosed && process.kill(database.pid(), 'SIGQUIT'));
  await keepCommitTimes(database);
  const proxy = await startDatabaseProxy(Number(new URL(database.url).port));
  const time = startVirtualTime(factor);
  const { apiKeys, probeToken } = await createOrganizations(database.url);
  await makeDatabaseVirtual(database.url, time);
  const targets = await startTargets(plan.monitors, time);
  const receivers = await startReceivers(plan.endpoints, time);
  const inngest = await startTestInngest({ clock: { now: () => new Date(time.now()) }, factor });
  const ticking = setInterval(inngest.tick, 60_000 / factor);

  const logs = join(directory, 'logs');
  await mkdir(logs);
  const create = createActors({ logs, time, targets, databaseUrl: proxy.urlOf(database.url) });
  const { launcher, web: firstWeb, worker: firstWorker } = await create.launched();
  const secondWeb = await create.web();
  const webs = [firstWeb, secondWeb];
  const workers = [firstWorker];
  for (const region of REGIONS)
    for (let number = 1; number <= WORKERS_PER_REGION; number++)
      if (region === PROBED_REGION)
        workers.push(
          create.probe(region, number, { token: probeToken, url: webs[number - 1]?.origin ?? '' }),
        );
      else if (region !== REGIONS[0] || number > 1)
        workers.push(await create.worker(region, number, number > 1 ? inngest.url : null));
  await Promise.all([launcher, secondWeb, ...workers.slice(1)].map((actor) => actor.start()));
  log(`${webs.length} webs and ${workers.length} workers run, ${WORKERS_PER_REGION} of them as probes`);

  const close = async () => {
    clearInterval(ticking);
    await Promise.all([...workers.slice(1), secondWeb, launcher].map((actor) => actor.stop()));
    await Promise.all([targets.close(), receivers.close(), inngest.close(), proxy.close()]);
    await database.stop();
    isClosed = true;
    disk?.unmount();
  };
  return {
    directory,
    disk,
    time,
    database,
    directUrl: database.url,
    proxy,
    launcher,
    workers,
    webs,
    targets,
    receivers,
    inngest,
    monitors: [],
    apiKeys,
    close,
  };
}

/** Prepares the processes; each gets its own ports, log and source address. */
function createActors({
  logs,
  time,
  targets,
  databaseUrl,
}: {
  logs: string;
  time: VirtualTime;
  targets: Targets;
  databaseUrl: string;
}) {
  const shared = {
    ...SETTINGS,
    DATABASE_URL: databaseUrl,
    DNS_SERVERS: targets.resolver,
    NETWORK_CANARY: targets.canary,
    LOG_LEVEL: 'info',
  };
  const create = (own: Omit<ActorOptions, 'directory' | 'time'>) =>
    createActor({ ...own, environment: { ...shared, ...own.environment }, directory: logs, time });
  const openPort = async () => {
    const port = String(await findFreePort());
    return { port, origin: `http://127.0.0.1:${port}` };
  };
  return {
    launched: async () => {
      const [web, worker] = [await openPort(), await openPort()];
      const [webLive, workerLive] = [`${web.origin}/api/live`, `${worker.origin}/live`];
      const [region] = REGIONS;
      const environment = { PORT: web.port, WORKER_PORT: worker.port, PROBE_REGIONS: region };
      const launcher = create({
        name: 'launcher',
        verb: 'start',
        source: sourceOf(region, 1),
        live: [workerLive, webLive],
        environment,
      });
      return {
        launcher,
        web: {
          ...createLaunchedActor(launcher, { name: 'web 1', verb: 'web', live: [webLive] }),
          origin: web.origin,
        },
        worker: createLaunchedActor(launcher, { name: `${region} 1`, verb: 'worker', live: [workerLive] }),
      };
    },
    web: async () => {
      const { port, origin } = await openPort();
      const own = { name: 'web 2', verb: 'web', source: '127.0.9.2', live: [`${origin}/api/live`] } as const;
      return { ...create({ ...own, live: [...own.live], environment: { PORT: port } }), origin };
    },
    probe: (region: Region, number: number, { token, url }: { token: string; url: string }) =>
      create({
        name: `${region} ${number}`,
        verb: 'probe',
        source: sourceOf(region, number),
        live: [],
        environment: {
          DATABASE_URL: '',
          SECRET_KEY: '',
          PHAROS_URL: url,
          PHAROS_PROBE_TOKEN: token,
          PHAROS_PROBE_SPOOL: join(logs, '..', `spool ${region} ${number}`),
        },
      }),
    worker: async (region: Region, number: number, inngestUrl: string | null) => {
      const { port, origin } = await openPort();
      const woken = inngestUrl && { ...KEYS, INNGEST_BASE_URL: inngestUrl, INNGEST_SERVE_ORIGIN: origin };
      return create({
        name: `${region} ${number}`,
        verb: 'worker',
        source: sourceOf(region, number),
        live: [`${origin}/live`],
        environment: { PROBE_REGIONS: region, WORKER_PORT: port, ...woken },
      });
    },
  };
}

/** Creates organizations with a key each, and the token of the probes, as an operator would. */
async function createOrganizations(url: string): Promise<{ apiKeys: string[]; probeToken: string }> {
  const apiKeys: string[] = [];
  for (let number = 0; number < ORGANIZATIONS; number++) {
    const owner = ['--email', `faults${number}@example.com`, '--password', 'correct horse battery'];
    const words = ['org', 'create', '--name', 'Faults', '--plan', 'enterprise', ...owner];
    apiKeys.push((await runCommand(words, url)).apiKey ?? '');
  }
  const { token = '' } = await runCommand(['region', 'create-token', PROBED_REGION], url);
  return { apiKeys, probeToken: token };
}

/** Runs a `pharos` command on the database at `url`; returns what it prints. Throws with its errors if it fails. */
async function runCommand(words: string[], url: string): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'dist', 'pharos.mjs'), ...words],
    {
      cwd: root,
      env: childEnvironment({ ...SETTINGS, DATABASE_URL: url, NODE_ENV: 'production' }),
    },
  );
  return JSON.parse(stdout);
}
