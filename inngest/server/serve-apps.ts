import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { type App, HOME_APP } from '../apps';
import type { Relief } from '../duty-drain';
import type { InngestServer } from '../inngest-server';
import type { WorkerServer } from '../worker-server';
import { type AppEndpoint, createAppEndpoint, pathOf } from './app-endpoint';
import { createServerClient } from './create-client';
import type { Link } from './link';
import { createListener } from './listener';
import { createRegistrar } from './registrar';

export type ServeOptions = {
  apps: App[];
  server: InngestServer;
  /** INNGEST_SERVE_ORIGIN. */
  serveOrigin: string | undefined;
  /** The address to try where Inngest has not synced any. */
  likelyOrigin: string;
  onRun: (functionId: string) => void;
  relief: Relief;
  /** Where Inngest calls. */
  workerServer: WorkerServer;
  log: Logger;
};

/** Serves the apps over HTTP, where Inngest calls them. */
export function serveApps(options: ServeOptions): Link {
  const { apps, server, serveOrigin, likelyOrigin, onRun, relief, workerServer, log } = options;
  const served = apps.map((app) => {
    const client = createServerClient(app.id, { server, log, onRun });
    const path = pathOf(app.id, HOME_APP);
    const endpoint = createAppEndpoint({ client, functions: app.build(client, relief), path, serveOrigin });
    return { app, client, endpoint };
  });
  const registrar = createRegistrar({ serveOrigin, likelyOrigin, log });
  const tellStarted = async (app: App) => {
    const found = served.find((one) => one.app.id === app.id);
    await found?.client.send(app.started.create({}));
  };
  const register = (app: App, endpoint: AppEndpoint) =>
    registrar.register(app.id, endpoint).then(async (isNew) => {
      if (isNew) await tellStarted(app);
    });
  const quietly = (work: Promise<void>, app: App) =>
    void work.catch((error: unknown) =>
      log.warn({ app: app.id, error: describeError(error) }, 'Inngest could not be reached'),
    );
  workerServer.mount(
    createListener({
      endpoints: served.map(({ endpoint }) => endpoint),
      localOnly: server.isDev,
      onSync: (origin) => {
        if (!registrar.learn(origin)) return;
        for (const { app, endpoint } of served) quietly(register(app, endpoint), app);
      },
      log,
    }),
  );
  for (const { app, endpoint } of served) {
    quietly(serveOrigin === undefined ? tellStarted(app) : register(app, endpoint), app);
  }
  return {
    onUnwoken: (app, unwokenMs) => {
      const found = served.find((one) => one.app.id === app.id);
      if (found && registrar.isDue(app.id, unwokenMs)) quietly(register(app, found.endpoint), app);
    },
    close: async () => {},
  };
}
