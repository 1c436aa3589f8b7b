import { describeError, StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { noteWake, readWakes } from '@/lib/engine/runtime/wakes';
import type { Environment } from '@/lib/env';
import type { App } from './apps';
import type { Relief } from './duty-drain';
import { createEmbeddedDriver } from './embedded/driver';
import { readInngestServer } from './inngest-server';
import { connectApps, requireConnectSupport } from './server/connect-apps';
import { likelyOrigin } from './server/likely-origin';
import { serveApps } from './server/serve-apps';
import { drainNeglected } from './silence/drain-neglected';
import { watchSilence } from './silence/watch-silence';
import type { WorkerServer } from './worker-server';

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
  const relief: Relief = async (drain, since) => {
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
    driver.start();
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
