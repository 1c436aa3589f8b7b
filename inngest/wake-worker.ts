import type { Server } from 'node:http';
import type { Services } from '@/lib/context/services';
import { describeError, StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { noteWake, readWakes } from '@/lib/engine/wakes';
import type { Environment } from '@/lib/env';
import type { App } from './apps';
import type { Relief } from './duty-drain';
import { createEmbeddedDriver } from './embedded/driver';
import { readInngestServer } from './inngest-server';
import { connectApps, requireConnectSupport } from './server/connect-apps';
import { likelyOrigin } from './server/likely-origin';
import { serveApps } from './server/serve-apps';
import { watchSilence } from './silence/watch-silence';

/** How a worker is told to be woken. */
export type WakeOptions = {
  environment: Environment;
  services: Services;
  workerId: string;
  log: Logger;
  /** Connects to Inngest instead of listening for it. */
  connects: boolean;
  /** Lets the worker's web server listen, where Inngest calls it. */
  listen: (server: Server) => Promise<void>;
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
  const { environment, services, workerId, connects, listen, log } = options;
  const drains = new Set(apps.flatMap((app) => app.drains.map(({ id }) => id)));
  // Sweeps are no wake: an event that gets lost after one leaves the work undone.
  const onRun = (functionId: string): void => {
    if (!drains.has(functionId)) return;
    noteWake(services, functionId).catch((error: unknown) =>
      log.warn({ functionId, error: describeError(error) }, 'a wake could not be noted'),
    );
  };
  const relief: Relief = async (drain, since) => {
    const wokenAt = (await readWakes(services, [drain])).get(drain);
    return wokenAt !== undefined && wokenAt >= since;
  };
  const link = connects
    ? connectApps({ apps, server, instanceId: workerId, onRun, relief, log })
    : await serveApps({
        apps,
        server,
        serveOrigin: environment.INNGEST_SERVE_ORIGIN,
        likelyOrigin: likelyOrigin(environment, server),
        onRun,
        relief,
        listen,
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
  return {
    stop: async () => {
      await Promise.all(drivers.map(({ driver }) => driver.stop({ graceMs: EMBEDDED_GRACE_MS })));
    },
  };
}
