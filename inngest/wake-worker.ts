import { describeError, StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { noteWake, readWakes } from '@/lib/engine/runtime/slots';
import type { Environment } from '@/lib/env';
import type { App } from './apps';
import { createEmbeddedDriver } from './embedded';
import { type InngestServer, readInngestServer } from './inngest-server';
import { createServerClient, type Link } from './server/create-client';
import { serveApps } from './server/serve-apps';
import { drainNeglected } from './silence/drain-neglected';
import { watchSilence } from './silence/watch-silence';
import type { HasSuccessor } from './watched-drain';
import type { WorkerServer } from './worker-server';

const NEEDED = { major: 22, minor: 4 };

const RETRY_MS = 10_000;

/** How a worker is told to be woken. */
export type WakeOptions = {
  environment: Environment;
  services: Services;
  workerId: string;
  log: Logger;
  /** Connects to Inngest instead of listening for it. */
  connects: boolean;
  /** Where Inngest calls, unless the worker connects. */
  workerServer: WorkerServer;
  /** Hears since when Inngest is silent; null: it is not. */
  tellSilence: (since: Date | null) => void;
};

/** What wakes the apps of a worker. */
export type Waker = { stop(): Promise<void> };

const EMBEDDED_GRACE_MS = 1000;

/** Refuses options that cannot work, before anything is begun. Throws StartupError. */
export function requireWakable(environment: Environment, { connects }: Pick<WakeOptions, 'connects'>): void {
  if (!connects) return;
  if (readInngestServer(environment) === null) {
    throw new StartupError(
      '"pharos worker --connect" needs an Inngest server: set INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY, or INNGEST_DEV',
    );
  }
  requireConnectSupport(process.versions.node);
}

/** Lets the apps be woken: by Inngest where the environment names a server, else by the embedded driver. */
export async function wakeWorker(apps: App[], options: WakeOptions): Promise<Waker> {
  const server = readInngestServer(options.environment);
  if (server === null) return wakeByEmbeddedDriver(apps, options);
  const { environment, services, workerId, connects, workerServer, log } = options;
  const drains = new Set(apps.flatMap((app) => app.drains.map(({ id }) => id)));
  // Sweeps are no wake: an event that gets lost after one leaves the work undone.
  const onRun = (functionId: string): void => {
    if (!drains.has(functionId)) return;
    noteWake(services, functionId).catch((error: unknown) =>
      log.warn({ functionId, error: describeError(error) }, 'a wake could not be noted'),
    );
  };
  const relief: HasSuccessor = async (drain, since) => {
    try {
      const wokenAt = (await readWakes(services, [drain])).get(drain);
      return wokenAt !== undefined && wokenAt >= since;
    } catch (error) {
      // As long as nobody knows of a successor, the drain goes on.
      log.warn({ drain, error: describeError(error) }, 'the wake of a drain could not be looked up');
      return false;
    }
  };
  const link = connects
    ? connectApps({ apps, server, instanceId: workerId, onRun, relief, log })
    : serveApps({
        apps,
        server,
        serveOrigin: environment.INNGEST_SERVE_ORIGIN,
        likelyOrigin: likelyOrigin({ ...environment, workerPort: workerServer.port }, server),
        onRun,
        relief,
        workerServer,
        log,
      });
  const watch = watchSilence({ apps, services, log, tell: options.tellSilence, onUnwoken: link.onUnwoken });
  return {
    stop: async () => {
      await watch.stop();
      await link.close();
    },
  };
}

async function wakeByEmbeddedDriver(apps: App[], { services, log }: WakeOptions): Promise<Waker> {
  const drivers = apps.map((app) => {
    const driver = createEmbeddedDriver({
      id: app.id,
      buildFunctions: app.build,
      clock: services.clock,
      log,
    });
    return { app, driver };
  });
  for (const { app, driver } of drivers) {
    await driver.client.send(app.started.create({}));
  }
  const drains = apps.flatMap((app) => app.drains);
  const neglect = drainNeglected({ drains, clock: services.clock, log });
  return {
    stop: async () => {
      await neglect.stop();
      await Promise.all(drivers.map(({ driver }) => driver.stop({ graceMs: EMBEDDED_GRACE_MS })));
    },
  };
}

/** `workerPort`: where the worker listens. */
type Settings = Pick<Environment, 'APP_URL' | 'PORT' | 'WORKER_URL'> & { workerPort: number };

/**
 * The address under which Inngest probably reaches this worker: where a web process passes calls on, the service's own, and
 * the public one of it for an Inngest that is elsewhere.
 */
export function likelyOrigin(
  { APP_URL, PORT, WORKER_URL, workerPort }: Settings,
  { isDev, baseUrl }: Pick<InngestServer, 'isDev' | 'baseUrl'>,
): string {
  if (WORKER_URL === undefined) return `http://localhost:${workerPort}`;
  const isBesideUs =
    isDev || /^(localhost|127\..*|\[::1\])$/.test(baseUrl === undefined ? '' : new URL(baseUrl).hostname);
  return (isBesideUs ? undefined : APP_URL) ?? `http://localhost:${PORT}`;
}

/** Refuses to connect on a Node.js that lacks what it takes. Throws StartupError that says what to do. */
export function requireConnectSupport(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor)) return;
  throw new StartupError(
    `"pharos worker --connect" needs Node.js ${NEEDED.major}.${NEEDED.minor} or later, for its WebSocket; this is ${version}. Without --connect the worker listens for Inngest instead`,
  );
}

/**
 * Connects the apps to Inngest from the inside out: the worker needs no open port. A server that is away is tried again in
 * the background; the SDK itself keeps a connection that once stood.
 */
function connectApps({
  apps,
  server,
  instanceId,
  onRun,
  relief,
  log,
}: {
  apps: App[];
  server: InngestServer;
  instanceId: string;
  onRun: (functionId: string) => void;
  relief: HasSuccessor;
  log: Logger;
}): Link {
  const connected = apps.map((app) => {
    const client = createServerClient(app.id, { server, log, onRun });
    return { app, client, functions: app.build(client, relief) };
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
  const tryToOpen = (): void => {
    open().catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'could not connect to Inngest; trying again');
      if (!stopped) timer = setTimeout(tryToOpen, RETRY_MS);
    });
  };
  tryToOpen();

  return {
    onUnwoken: () => {},
    close: async () => {
      stopped = true;
      clearTimeout(timer);
      await close();
    },
  };
}
