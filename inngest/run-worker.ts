import { once } from 'node:events';
import type { Server } from 'node:http';
import { resolve } from 'node:path';
import { createId } from '@/lib/core/ids';
import { startJournal } from '@/lib/core/journal/journal';
import type { Logger } from '@/lib/core/logger';
import { refreshMail } from '@/lib/domain/context/live-mail';
import {
  checkSecretKey,
  createServices,
  type ProcessServices,
  type Services,
} from '@/lib/domain/context/services';
import { readRegionPresence } from '@/lib/domain/monitors/silence';
import { scheduleBackups } from '@/lib/engine/backups/scheduled-backups';
import { createEngine, type Engine, type EngineOptions } from '@/lib/engine/create-engine';
import { startDeadMansSwitch } from '@/lib/engine/health/dead-mans-switch';
import { createHealth } from '@/lib/engine/health/health';
import { createEngineMetrics } from '@/lib/engine/metrics/engine-metrics';
import { startHeartbeat } from '@/lib/engine/runtime/heartbeat';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { watchProbes } from '@/lib/engine/upkeep/watch-probes';
import { watchRegions } from '@/lib/engine/upkeep/watch-regions';
import type { Environment } from '@/lib/env';
import { readPools } from '@/lib/platform/db/connections/pools';
import { waitForDatabase } from '@/lib/platform/db/connections/wait-for-database';
import { type Channel, listen } from '@/lib/platform/db/listen';
import { createProcessRegistry } from '@/lib/platform/metrics/process-registry';
import { createMetricsListener } from '@/lib/platform/metrics/serve-metrics';
import { createOwnNetwork } from '@/lib/platform/net/canary';
import { version } from '@/package.json';
import { createApps } from './apps';
import { readInngestServer } from './inngest-server';
import { requireWakable, type WakeOptions, wakeWorker } from './wake-worker';
import { startWorkerServer } from './worker-server';

/** How long a stopping worker may take: less than a supervisor's grace period. */
const GRACE_MS = 8000;

type Options = Partial<Pick<WakeOptions, 'connects'>> & {
  listen?: (server: Server) => Promise<void>;
  /** How often HEARTBEAT_URL is called. */
  heartbeatMs?: number;
};

/**
 * Runs the engine of this process, woken by Inngest or the embedded driver. Resolves once it is running, to a
 * function that stops it in order: no new work, results recorded, connections closed. Throws StartupError.
 */
export async function runWorker(
  environment: Environment,
  log: Logger,
  { connects = false, listen: bind = listenOnPort(environment), heartbeatMs: everyMs }: Options = {},
): Promise<() => Promise<void>> {
  requireWakable(environment, { connects });
  const {
    PROBE_REGIONS: regions,
    SHARDS: shards,
    WORKER_DUTIES: duties,
    DATABASE_DIRECT_URL: url = '',
  } = environment;
  const { METRICS_TOKEN: token } = environment;
  const services = createServices(environment, 'pharos worker');
  const workerId = createId('worker');
  const { presence, heartbeat } = await register(services, { workerId, regions, duties, log }, url);
  // Without a token nothing is counted.
  const registry = token === undefined ? null : createProcessRegistry('worker', readPools);
  const engine = startEngine(environment, services, { workerId, registry, onCutOff: heartbeat.hurry, log });
  heartbeat.setNetworkReader(engine.network);
  heartbeat.setPendingReader(() => engine.recording().oldestMs);
  heartbeat.setJobsReader(engine.jobs);
  const apps = createApps(engine, { regions, shards, duties });
  const stopJournal = startJournal(log);
  const stopClock = services.clock.follow();
  const listening = listenForWork(engine, { url, regions, mail: services.mail, log });
  if (duties === 'all') engine.startTimetable();
  const health = createHealth({
    url,
    clock: services.clock,
    hasInngest: readInngestServer(environment) !== null,
  });
  const stopHealthWatch = health.watch(log);
  const workerServer = await startWorkerServer({
    health,
    serveMetrics: registry && token ? createMetricsListener({ registry, token, log }) : null,
    listen: bind,
    log,
  });
  const waker = await wakeWorker(apps, {
    environment,
    services,
    workerId,
    log,
    connects,
    workerServer,
    onSilence: heartbeat.setInngestSilent,
  });

  const watches =
    duties === 'all' ? startWatches(environment, services, { presence, health, log, everyMs }) : [];

  return async () => {
    stopClock();
    await Promise.all(watches.map((watch) => watch.stop()));
    await engine.stop(GRACE_MS);
    await waker.stop();
    stopHealthWatch();
    await Promise.allSettled([heartbeat.stop(), listening.stop(), workerServer.close()]);
    await health.close();
    stopJournal();
    await services.db.$disconnect();
  };
}

type Starting = Pick<EngineOptions, 'workerId' | 'onCutOff' | 'log'> & {
  registry: ReturnType<typeof createProcessRegistry> | null;
};

function startEngine(
  environment: Environment,
  services: ProcessServices,
  { registry, ...options }: Starting,
): Engine {
  return createEngine({
    ...options,
    services,
    metrics: registry && createEngineMetrics(registry),
    serviceName: environment.SERVICE_NAME,
    checkConcurrency: environment.CHECK_CONCURRENCY,
    dnsServers: environment.DNS_SERVERS,
    domainsNeedProof: environment.CUSTOM_DOMAIN_VERIFY === 'on',
    network: createOwnNetwork(environment.NETWORK_CANARY, environment.DNS_SERVERS),
    mail: {
      smtp: () => services.mail.smtp,
      notices: { groupSeconds: environment.MAIL_GROUP_SECONDS, appUrl: environment.APP_URL ?? null },
    },
  });
}

/** Waits for the database, and makes the worker known there. */
async function register(
  services: ReturnType<typeof createServices>,
  { workerId, regions, duties, log }: Parameters<typeof startHeartbeat>[1],
  url: string,
) {
  const prepare = async () => {
    await services.clock.measure();
    await checkSecretKey(services);
    await services.mail.refresh();
    await ensureResultPartitions(services.db, services.clock.now());
  };
  const wait = { url, log };
  await waitForDatabase(prepare, wait);
  const presence = await waitForDatabase(() => readRegionPresence(services), wait);
  const heartbeat = await waitForDatabase(
    () => startHeartbeat(services, { workerId, regions, duties, log }),
    wait,
  );
  return { presence, heartbeat };
}

type Work = { url: string; regions: readonly string[]; mail: ProcessServices['mail']; log: Logger };

/** Has the engine look for work when the database notifies of it. */
function listenForWork(engine: Engine, { url, regions, mail, log }: Work) {
  /** `stopped`: the ID of one that nobody waits for any more. */
  const runDryRuns = (stopped: string | null) => {
    if (stopped) return engine.stopDryRun(stopped);
    engine
      .runDryRuns(regions)
      .catch((error: unknown) => log.error({ work: 'dry runs', err: error }, 'dry runs failed'));
  };
  const wakes = new Map<Channel, (payload: string | null) => void>([
    ['pharos_checks', engine.wakeChecks],
    ['pharos_deliveries', engine.wakeDeliveries],
    ['pharos_dry_runs', runDryRuns],
    ['pharos_mail', engine.wakeMail],
    ['pharos_mail_server', () => void refreshMail(mail, log).then(engine.wakeMail)],
    ['pharos_manual_checks', () => engine.wakeManualChecks(regions)],
  ]);
  const onNotify = (channel: Channel, payload: string | null) => wakes.get(channel)?.(payload);
  return listen(url, [...wakes.keys()], { onNotify, log });
}

type Watching = {
  presence: Awaited<ReturnType<typeof readRegionPresence>>;
  health: ReturnType<typeof createHealth>;
  log: Logger;
  everyMs: number | undefined;
};

/** What one worker with all duties does for the whole service. */
function startWatches(
  environment: Environment,
  services: Services,
  { presence, health, log, everyMs }: Watching,
) {
  const { HEARTBEAT_URL: heartbeatUrl, SERVICE_NAME: userAgent } = environment;
  return [
    watchRegions(services, { presence, log }),
    watchProbes(services, log),
    ...startScheduledBackups(environment, services, log),
    ...(heartbeatUrl ? [startDeadMansSwitch({ url: heartbeatUrl, health, userAgent, log, everyMs })] : []),
  ];
}

function startScheduledBackups(environment: Environment, services: Services, log: Logger) {
  const { BACKUP_DIR, BACKUP_KEEP: keep, BACKUP_PASSPHRASE: passphrase = null } = environment;
  const { DATABASE_DIRECT_URL: url, SECRET_KEY, PREVIOUS_SECRET_KEYS } = environment;
  if (BACKUP_DIR === undefined || url === undefined || SECRET_KEY === undefined) return [];
  const keys = { SECRET_KEY, PREVIOUS_SECRET_KEYS };
  const directory = resolve(BACKUP_DIR);
  return [scheduleBackups(services, { directory, keep, url, keys, passphrase, version, log })];
}

function listenOnPort({ HOST, WORKER_PORT }: Environment): NonNullable<Options['listen']> {
  return async (server: Server) => {
    server.listen(WORKER_PORT ?? 0, HOST);
    await once(server, 'listening');
  };
}
