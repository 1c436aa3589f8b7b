import { describeError, StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { noteWake, readWakes } from '@/lib/engine/runtime/slots';
import type { Environment } from '@/lib/env';
import type { App } from './apps';
import { createEmbeddedDriver } from './embedded';
import { type InngestServer, readInngestServer } from './inngest-server';
import { createServerClient, type InngestLink, type LinkOptions } from './server/create-client';
import { serveApps } from './server/serve-apps';
import { drainNeglected } from './silence/drain-neglected';
import { watchSilence } from './silence/watch-silence';
import type { HasSuccessor } from './watched-drain';
import type { WorkerServer } from './worker-server';

const MIN_CONNECT_VERSION = { major: 22, minor: 4 };
const RETRY_MS = 10_000;

export type WakeOptions = {
  environment: Environment;
  services: Services;
  workerId: string;
  log: Logger;
  /** Connects to Inngest instead of listening for its calls. */
  connects: boolean;
  /** The server that Inngest calls, unless the worker connects. */
  workerServer: WorkerServer;
  /** Called with the time since which Inngest has been silent; null: it is not. */
  onSilence: (since: Date | null) => void;
};

const EMBEDDED_GRACE_MS = 1000;

/** Rejects options that cannot work, before anything is started. Throws StartupError. */
export function requireWakable(environment: Environment, { connects }: Pick<WakeOptions, 'connects'>): void {
  if (!connects) return;
  if (readInngestServer(environment) === null) {
    throw new StartupError(
      '"worker --connect" needs an Inngest server: set INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY, or INNGEST_DEV',
    );
  }
  requireConnectSupport(process.versions.node);
}

/** Wakes the apps through the Inngest server of the environment, or else the embedded driver. */
export async function wakeWorker(apps: App[], options: WakeOptions) {
  const server = readInngestServer(options.environment);
  if (server === null) return wakeByEmbeddedDriver(apps, options);
  const { environment, services, workerId, connects, workerServer, onSilence, log } = options;
  const drains = new Set(apps.flatMap((app) => app.drains.map(({ id }) => id)));
  // Sweeps do not count as wakes: if an event is lost after one, the work is not done.
  const onRun = (functionId: string): void => {
    if (!drains.has(functionId)) return;
    noteWake(services, functionId).catch((error: unknown) =>
      log.warn({ functionId, error: describeError(error) }, 'could not record a wake'),
    );
  };
  const hasSuccessor: HasSuccessor = async (drain, since) => {
    try {
      const wokenAt = (await readWakes(services, [drain])).get(drain);
      return wokenAt !== undefined && wokenAt >= since;
    } catch (error) {
      // Without a known successor, the drain continues.
      log.warn({ drain, error: describeError(error) }, 'could not look up the wake of a drain');
      return false;
    }
  };
  const common = { apps, server, onRun, hasSuccessor, log };
  const link = connects
    ? connectApps(common, workerId)
    : serveApps({
        ...common,
        serveOrigin: environment.INNGEST_SERVE_ORIGIN,
        likelyOrigin: likelyOrigin({ ...environment, workerPort: workerServer.port }, server),
        workerServer,
      });
  const watch = watchSilence({ apps, services, log, onSilence, onUnwoken: link.onUnwoken });
  return {
    stop: async () => {
      await watch.stop();
      await link.close();
    },
  };
}

async function wakeByEmbeddedDriver(apps: App[], { services: { clock }, log }: WakeOptions) {
  const drivers = apps.map((app) => {
    const driver = createEmbeddedDriver({ id: app.id, buildFunctions: app.build, clock, log });
    return { app, driver };
  });
  for (const { app, driver } of drivers) await driver.client.send(app.started.create({}));
  const drains = apps.flatMap((app) => app.drains);
  const neglect = drainNeglected(drains, { clock, log });
  return {
    stop: async () => {
      await neglect.stop();
      await Promise.all(drivers.map(({ driver }) => driver.stop({ graceMs: EMBEDDED_GRACE_MS })));
    },
  };
}

type Settings = Pick<Environment, 'APP_URL' | 'PORT' | 'WORKER_URL'> & { workerPort: number };

/** The probable address for Inngest: that of the service if a web process forwards calls, public if remote. */
export function likelyOrigin(
  { APP_URL, PORT, WORKER_URL, workerPort }: Settings,
  { isDev, baseUrl }: Pick<InngestServer, 'isDev' | 'baseUrl'>,
): string {
  if (WORKER_URL === undefined) return `http://localhost:${workerPort}`;
  const isSameMachine =
    isDev || /^(localhost|127\..*|\[::1\])$/.test(baseUrl === undefined ? '' : new URL(baseUrl).hostname);
  return (isSameMachine ? undefined : APP_URL) ?? `http://localhost:${PORT}`;
}

/** Rejects Node.js versions without support for connecting. Throws an actionable StartupError. */
export function requireConnectSupport(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (
    major > MIN_CONNECT_VERSION.major ||
    (major === MIN_CONNECT_VERSION.major && minor >= MIN_CONNECT_VERSION.minor)
  )
    return;
  throw new StartupError(
    `"worker --connect" needs Node.js ${MIN_CONNECT_VERSION.major}.${MIN_CONNECT_VERSION.minor} or later (for WebSocket), but this is ${version}. Upgrade Node.js, or omit --connect to let Inngest call the worker instead`,
  );
}

/** Connects the apps to Inngest with outgoing connections. Retries an unavailable server in the background. */
function connectApps(
  { apps, server, onRun, hasSuccessor, log }: LinkOptions,
  instanceId: string,
): InngestLink {
  const connected = apps.map((app) => {
    const client = createServerClient(app.id, { server, log, onRun });
    return { app, client, functions: app.build(client, hasSuccessor) };
  });
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let close = async (): Promise<void> => {};

  const open = async (): Promise<void> => {
    const { connect } = await import('inngest/connect');
    const connection = await connect({ apps: connected, instanceId, handleShutdownSignals: [] });
    close = () => connection.close();
    log.info({ apps: apps.map(({ id }) => id) }, 'connected to Inngest');
    for (const { app, client } of connected) await client.send(app.started.create({}));
  };
  const openOrRetry = (): void => {
    open().catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'could not connect to Inngest; retrying');
      if (!stopped) timer = setTimeout(openOrRetry, RETRY_MS);
    });
  };
  openOrRetry();

  return {
    onUnwoken: () => {},
    close: async () => {
      stopped = true;
      clearTimeout(timer);
      await close();
    },
  };
}
