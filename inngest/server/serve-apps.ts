import { createServer, type Server } from 'node:http';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { type App, HOME_APP } from '../apps';
import type { Relief } from '../duty-drain';
import type { InngestServer } from '../inngest-server';
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
  /** Lets the worker's web server listen. */
  listen: (server: Server) => Promise<void>;
  log: Logger;
};

/** Serves the apps over HTTP, where Inngest calls them. */
export async function serveApps(options: ServeOptions): Promise<Link> {
  const { apps, server, serveOrigin, likelyOrigin, onRun, relief, log } = options;
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
  const httpServer = createServer(
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
  // Longer than a proxy keeps a connection, so that none is closed under a call.
  httpServer.keepAliveTimeout = 65_000;
  await options.listen(httpServer);
  for (const { app, endpoint } of served) {
    quietly(serveOrigin === undefined ? tellStarted(app) : register(app, endpoint), app);
  }
  return {
    onUnwoken: (app, unwokenMs) => {
      const found = served.find((one) => one.app.id === app.id);
      if (found && registrar.isDue(app.id, unwokenMs)) quietly(register(app, found.endpoint), app);
    },
    close: async () => {
      const closed = new Promise((resolve) => httpServer.close(resolve));
      httpServer.closeAllConnections();
      await closed;
    },
  };
}
