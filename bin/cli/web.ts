import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Command, Option } from 'commander';
import next from 'next';
import { readInngestServer } from '@/inngest/inngest-server';
import { createLogger } from '@/lib/core/logger';
import { checkSecretKey, createServices } from '@/lib/domain/context/services';
import { mailedLinkBase } from '@/lib/domain/people/one-time-links';
import { readDomains } from '@/lib/domain/status-pages/verify-custom-domain';
import { createHealth } from '@/lib/engine/health/health';
import { getEnvironment, setForLibraries } from '@/lib/env';
import { waitForDatabase } from '@/lib/platform/db/wait-for-database';
import { createLiveHub } from '@/lib/platform/live/hub';
import { startPageService } from '@/lib/platform/page-front';
import type { HealthBody } from '@/lib/schemas/health';
import { onAwaitCacheInvalidation } from '@/lib/web/http/await-cache-invalidation';
import { shareHealth } from '@/lib/web/http/health';
import { shareLiveHub } from '@/lib/web/http/live-streams';
import { answerJson } from '../web/answers';
import { createApplication } from '../web/application';
import { boundBodies } from '../web/bounded-bodies';
import { createFront } from '../web/front';
import { createHttpServer, type HttpServerOptions } from '../web/http-server';
import { createInngestPass } from '../web/inngest-pass';
import { announceReady, stopOnSignal } from './child-process';
import { listenOn, requireFreePort } from './listen-on';
import { openDatabase, requireSharedDatabase } from './open-database';
import { publicUrl, rootPath } from './paths';
import { buildWebApplication } from './prepare-database';

type WebServer = {
  /** Resolves with the application when it is loaded. */
  application: Promise<RequestListener>;
  /** Lets `listener` answer from now on; until then only /api/live is answered. */
  open(listener: RequestListener): void;
  /** Takes no more requests and lets running ones end, for a few seconds. */
  stop(): Promise<void>;
};

const STOP_GRACE_MS = 5000;

const STARTING: HealthBody = {
  status: 'down',
  parts: [
    {
      name: 'web',
      status: 'down',
      since: new Date().toISOString(),
      message: 'The web application is starting. Try again in a moment.',
    },
  ],
};

/** `pharos web`. */
export function registerWeb(program: Command): void {
  program
    .command('web')
    .description(
      'Run the web application alone: dashboard, API and status pages. Needs DATABASE_URL and SECRET_KEY.',
    )
    .addOption(new Option('--development', 'serve what is edited').hideHelp())
    .action(async ({ development = false }: { development?: boolean }) => {
      const environment = requireSharedDatabase(getEnvironment());
      await requireFreePort({ host: environment.HOST, port: environment.PORT });
      if (!development) await buildWebApplication();
      // next-auth reads its own variables.
      setForLibraries({
        NEXTAUTH_URL: publicUrl(environment),
        NEXTAUTH_URL_INTERNAL: publicUrl(environment),
      });
      const log = createLogger(environment.LOG_LEVEL, 'web');
      const server = await startWebServer({
        host: environment.HOST,
        port: environment.PORT,
        directory: rootPath,
        development,
        maxConnectionsPerAddress: environment.MAX_CONNECTIONS_PER_ADDRESS,
        trustedProxies: environment.TRUSTED_PROXIES,
        log,
      });
      const live = createLiveHub();
      shareLiveHub(live);
      // Streams last as long as they are let: they end first.
      const stops: (() => void | Promise<void>)[] = [() => live.suspend(), server.stop];
      stopOnSignal(async () => {
        for (const stop of stops) await stop();
      });
      const { url } = await openDatabase(environment, { waitsWith: log });
      const { db, ...services } = createServices({ ...environment, DATABASE_POOL: 2 }, 'pharos web front');
      stops.push(() => db.$disconnect());
      await waitForDatabase(() => checkSecretKey({ db, ...services }), { url, log });
      const pages = await startPageService({
        url,
        readDomains: () => readDomains({ db }),
        live,
        cacheMegabytes: environment.PAGE_CACHE_MB,
        log,
      });
      stops.push(pages.stop);
      onAwaitCacheInvalidation(pages.settle);
      await services.clock.measure();
      const health = createHealth({
        url,
        clock: services.clock,
        hasInngest: readInngestServer(environment) !== null,
      });
      shareHealth(health);
      stops.push(services.clock.follow(), health.watch(log), health.close);
      const pass = boundBodies(await server.application);
      server.open(
        createFront({
          appUrl: environment.APP_URL,
          trustedProxies: environment.TRUSTED_PROXIES,
          findPage: pages.domains.find,
          // What is kept would hide what was edited.
          cache: development ? null : pages.cache,
          development,
          application: createApplication(pass),
          pass,
          passToWorker:
            environment.WORKER_URL === undefined ? null : createInngestPass(environment.WORKER_URL),
          clock: pages.clock,
          log,
        }),
      );
      if (environment.SIGN_UP === 'open' && mailedLinkBase(services) === null) {
        log.warn('SIGN_UP=open needs SMTP_URL and APP_URL: until both are set nobody can confirm an address');
      }
      log.info({ host: environment.HOST, port: environment.PORT }, 'web is ready');
      announceReady();
    });
}

/** Listens at once and loads the built Next application from `directory`. Throws StartupError when the port cannot be had. */
async function startWebServer({
  host,
  port,
  directory,
  development = false,
  ...options
}: HttpServerOptions & {
  host: string;
  port: number;
  directory: string;
  /** Serves the sources as they are edited, and tells open pages over a WebSocket. */
  development?: boolean;
}): Promise<WebServer> {
  let answer: RequestListener = answerStarting;
  const server = createHttpServer((request, response) => answer(request, response), options);
  await listenOn(server, { host, port });

  // Next takes every upgrade of the server that it is given, or else of the one a request came from, and closes none that it
  // does not know: it gets one that nobody connects to.
  const app = next({
    dev: development,
    dir: directory,
    hostname: host,
    port,
    // In development, pages hear about edits over a WebSocket.
    httpServer: development ? server : createServer(),
  });
  const handle = app.getRequestHandler();
  return {
    application: app.prepare().then(() => (request, response) => void handle(request, response)),
    open: (listener) => {
      answer = listener;
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
      await closed;
      clearTimeout(timer);
      await app.close();
    },
  };
}

function answerStarting({ url }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Retry-After', '1');
  // The application answers this as well, once it is loaded; and tells who uses another method.
  if (url === '/api/live') answerJson(response, 200, { status: 'ok' });
  else if (url === '/api/health') answerJson(response, 503, STARTING);
  else
    response
      .writeHead(503, { 'Content-Type': 'text/plain' })
      .end('The service is starting. Try again in a moment.\n');
}
