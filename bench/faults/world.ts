import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@/lib/core/ports';
import { checkSecretKey, createServices } from '@/lib/domain/context/services';
import { parseEnvironment, VARIABLE_NAMES } from '@/lib/env';
import { log, openPlayground, PHAROS_SETTINGS, startDatabase } from '../playground';
import { addOrganization } from '../seed';
import { type Actor, createActor } from './actors';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy';
import { ORGANIZATIONS, type Plan, REGIONS } from './plan';
import { type Receivers, startReceivers } from './receivers';
import { sourceOf, startTargets, type Targets } from './targets';
import { keepCommitTimes, makeDatabaseVirtual, startVirtualTime, type VirtualTime } from './virtual-time';

const WORKERS_PER_REGION = 2;
const WEBS = 2;

/** Everything of a run: the processes under test, what they talk to, and the only ways in. */
export type World = {
  directory: string;
  time: VirtualTime;
  database: Awaited<ReturnType<typeof startDatabase>>;
  /** The database without the proxy and without virtual time. */
  directUrl: string;
  proxy: DatabaseProxy;
  workers: Actor[];
  webs: (Actor & { origin: string })[];
  targets: Targets;
  receivers: Receivers;
  /** One key per organization. */
  apiKeys: string[];
  close(): Promise<void>;
};

/** Starts PostgreSQL behind a proxy, targets, receivers, two webs, and two workers in each region. */
export async function startWorld(plan: Plan, { factor }: { factor: number }): Promise<World> {
  const directory = openPlayground();
  log('starting PostgreSQL');
  const database = await startDatabase(directory);
  await keepCommitTimes(database);
  const proxy = await startDatabaseProxy(Number(new URL(database.url).port));
  const time = startVirtualTime(factor);
  const apiKeys = await createOrganizations(database.url);
  await makeDatabaseVirtual(database.url, time);
  const targets = await startTargets(plan.monitors, time);
  const receivers = await startReceivers(plan.endpoints, time);

  const proxied = new URL(database.url);
  proxied.port = String(proxy.port);
  const shared = {
    // An empty variable counts as unset, and wins over a developer's .env.
    ...Object.fromEntries(VARIABLE_NAMES.map((name) => [name, ''])),
    ...PHAROS_SETTINGS,
    DATABASE_URL: proxied.href,
    LOG_LEVEL: 'info',
  };
  const logs = join(directory, 'logs');
  await mkdir(logs);
  const create = (own: Pick<Actor, 'name' | 'verb' | 'source'>, environment: Record<string, string>) =>
    createActor({ ...own, environment: { ...shared, ...environment }, directory: logs, time });

  const webs: World['webs'] = [];
  for (let number = 1; number <= WEBS; number++) {
    const PORT = String(await findFreePort());
    const actor = create({ name: `web ${number}`, verb: 'web', source: `127.0.9.${number}` }, { PORT });
    webs.push({ ...actor, origin: `http://127.0.0.1:${PORT}` });
    await actor.start();
  }
  const workers: Actor[] = [];
  for (const region of REGIONS)
    for (let number = 1; number <= WORKERS_PER_REGION; number++) {
      const own = { name: `${region} ${number}`, verb: 'worker', source: sourceOf(region, number) } as const;
      const WORKER_PORT = String(await findFreePort());
      workers.push(create(own, { PROBE_REGIONS: region, WORKER_PORT }));
    }
  await Promise.all(workers.map((worker) => worker.start()));
  log(`${webs.length} webs and ${workers.length} workers run`);

  const close = async () => {
    await Promise.all([...workers, ...webs].map((actor) => actor.stop()));
    await Promise.all([targets.close(), receivers.close(), proxy.close()]);
    await database.stop();
  };
  return {
    directory,
    time,
    database,
    directUrl: database.url,
    proxy,
    workers,
    webs,
    targets,
    receivers,
    apiKeys,
    close,
  };
}

async function createOrganizations(url: string): Promise<string[]> {
  const services = createServices(
    parseEnvironment({ ...PHAROS_SETTINGS, DATABASE_URL: url }),
    'pharos faults',
  );
  await services.clock.measure();
  await checkSecretKey(services);
  const keys: string[] = [];
  for (let number = 0; number < ORGANIZATIONS; number++)
    keys.push((await addOrganization(services, `faults${number}`)).apiKey);
  await services.db.$disconnect();
  return keys;
}
