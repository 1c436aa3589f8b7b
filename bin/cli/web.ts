import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Command, Option } from 'commander';
import next from 'next';
import { readInngestServer } from '@/inngest/inngest-server';
import { startJournal } from '@/lib/core/journal/journal';
import { createLogger, type Logger } from '@/lib/core/logger';
import { systemClock } from '@/lib/core/time/clock';
import { createWake } from '@/lib/core/time/wake';
import { refreshMail } from '@/lib/domain/context/live-mail';
import { checkSecretKey, createServices } from '@/lib/domain/context/services';
import { explainNoLanding } from '@/lib/domain/members/identities/admit-identity';
import { mailedLinkBase } from '@/lib/domain/people/one-time-links';
import { readDomains } from '@/lib/domain/status-pages/verify-custom-domain';
import { createHealth } from '@/lib/engine/health/health';
import { createCallIntake } from '@/lib/engine/heartbeats/call-intake';
import { startReception } from '@/lib/engine/heartbeats/reception';
import { type Environment, getEnvironment, setForLibraries } from '@/lib/env';
import { waitForDatabase } from '@/lib/platform/db/connections/wait-for-database';
import { readMigrations } from '@/lib/platform/db/migrations';
import { createLiveHub } from '@/lib/platform/live/hub';
import { startPageService } from '@/lib/platform/page-front';
import type { HealthBody } from '@/lib/schemas/health';
import { sessionCookieName } from '@/lib/web/auth/session';
import { clientAddress } from '@/lib/web/http/address/request-address';
import { shareWithRoutes } from '@/lib/web/http/process-shared';
import { createCountingPool, createRateLimiter } from '@/lib/web/http/rate-limit';
import { createApplication } from '../web/application';
import { boundBodies } from '../web/bounded-bodies';
import { loadConfigSilently } from '../web/builds/load-config';
import { restoreDate } from '../web/builds/native-date';
import { openWebBuild } from '../web/builds/open-web-build';
import { withPreviousAssets } from '../web/builds/previous-assets';
import { createFront } from '../web/front';
import { createHeartbeatListener } from '../web/heartbeats';
import { createHttpServer } from '../web/http-server';
import { createInngestPass } from '../web/inngest-pass';
import { createWebMetrics } from '../web/metrics/web-metrics';
import { createProbeListener } from '../web/probes';
import { createAccessLog } from '../web/requests/access-log';
import { respondJson } from '../web/respond';
import { stopServer } from '../web/stop/stop-server';
import { createPersonFinder, createVisitors } from '../web/visitors';
import { announceReady, collectStartGarbageOnceQuiet, stopOnSignal } from './child-process';
import { listenOn, requireFreePort } from './listen-on';
import { formatLogsForPeople } from './observe/pretty-logs';
import { startTracing } from './observe/start-tracing';
import { openDatabase, requireSharedDatabase } from './open-database';
import { migrationsPath, publicUrl, rootPath } from './paths';
import { buildWebApplication } from './prepare-database';

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
      'Run only the web application: dashboard, API and status pages. Requires DATABASE_URL and SECRET_KEY.',
    )
    .addOption(new Option('--development', 'reload on changes').hideHelp())
    .action(async ({ development = false }: { development?: boolean }) => runWeb(development));
}

async function runWeb(development: boolean): Promise<void> {
  const environment = requireSharedDatabase(getEnvironment());
  await requireFreePort({ host: environment.HOST, port: environment.PORT });
  const build = await buildWebApplication(development);
  // Next's configuration and next-auth read their own variables.
  setForLibraries({
    WEB_BUILD: build,
    NEXTAUTH_URL: publicUrl(environment),
    NEXTAUTH_URL_INTERNAL: publicUrl(environment),
  });
  await formatLogsForPeople(environment);
  const log = createLogger(environment.LOG_LEVEL, 'web');
  const previous = await openWebBuild({ root: rootPath, name: build }, { clock: systemClock, log });
  const stopTracing = await startTracing('web', log);
  const stopJournal = startJournal(log);
  const server = await startWebServer(environment, log, development);
  const live = createLiveHub();
  // Streams do not end on their own, so close them first.
  const stops: Stop[] = [() => live.suspend(), server.stop, stopTracing, stopJournal];
  stopOnSignal(async () => {
    for (const stop of stops) await stop();
  });
  const parts = await connect(environment, { live, stops, log });
  const sessionCookie = sessionCookieName(environment.APP_URL?.startsWith('https:') ?? false);
  const application = boundBodies(await server.application, { sessionCookie });
  server.open(
    await assembleFront(environment, parts, { development, application, previous, sessionCookie, stops }),
  );
  await warnOfSettings(environment, parts.calls);
  log.info({ host: environment.HOST, port: environment.PORT }, 'web is ready');
  announceReady(collectStartGarbageOnceQuiet);
}

/** Ends a part of the process. */
type Stop = () => void | Promise<void>;
type Parts = Awaited<ReturnType<typeof connect>>;

/** Waits for the database, starts what this process has for all requests, and shares it with the routes. */
async function connect(
  environment: ReturnType<typeof requireSharedDatabase>,
  { live, stops, log }: { live: ReturnType<typeof createLiveHub>; stops: Stop[]; log: Logger },
) {
  const { directUrl: url } = await openDatabase(environment, log);
  const { db, ...services } = createServices({ ...environment, DATABASE_POOL: 4 }, 'pharos web front');
  stops.push(() => db.$disconnect());
  const { mail } = services;
  const prepare = async () => {
    await checkSecretKey({ db, ...services });
    await mail.refresh();
  };
  await waitForDatabase(prepare, { url, log });
  const requestedResults = createWake();
  const pages = await startPageService({
    url,
    readDomains: () => readDomains({ db }),
    live,
    requestedResults,
    onMailServer: () => void refreshMail(mail, log),
    cacheMegabytes: environment.PAGE_CACHE_MB,
    log,
  });
  stops.push(pages.stop);
  const { clock } = services;
  await clock.measure();
  const health = createHealth({ url, clock, hasInngest: readInngestServer(environment) !== null });
  const counting = createCountingPool(environment.DATABASE_URL, (error) =>
    log.warn({ err: error }, 'lost a connection for counting requests'),
  );
  stops.push(() => counting.end());
  shareWithRoutes({
    clock,
    counting,
    health,
    liveHub: live,
    mail,
    requestedResults,
    awaitCacheInvalidation: pages.settle,
  });
  stops.push(clock.follow(), health.watch(log), health.close);
  return { url, calls: { db, ...services, log }, pages, health, counting };
}

type Served = {
  development: boolean;
  application: RequestListener;
  previous: Awaited<ReturnType<typeof openWebBuild>>;
  sessionCookie: string;
  stops: Stop[];
};

/** The listener for all requests: pages, application, calls of jobs, probes, and metrics. */
async function assembleFront(
  environment: Environment,
  { url, calls, pages, health, counting }: Parts,
  { development, application: pass, previous, sessionCookie, stops }: Served,
) {
  const { APP_URL: appUrl, TRUSTED_PROXIES: trustedProxies, WORKER_URL: workerUrl } = environment;
  const { clock, log } = calls;
  const addressOf = ({ socket, headers }: IncomingMessage) => {
    const forwardedFor = headers['x-forwarded-for']?.toString() ?? null;
    return clientAddress({ peer: socket.remoteAddress ?? null, forwardedFor }, trustedProxies);
  };
  const probes = createProbeListener({ ...calls, addressOf, serviceName: environment.SERVICE_NAME }, url);
  const reception = await startReception(calls, log);
  stops.unshift(reception.stop, probes.stop);
  const metrics = createWebMetrics({
    services: calls,
    health,
    hasMonitors: environment.METRICS_MONITORS === 'on',
    token: environment.METRICS_TOKEN,
    cache: pages.cache,
    log,
    migrations: (await readMigrations(migrationsPath)).map(({ name }) => name),
  });
  const intake = createCallIntake(calls);
  const front = createFront({
    appUrl,
    trustedProxies,
    findPage: pages.domains.find,
    // The cache would hide edits.
    cache: development ? null : pages.cache,
    held: pages.held,
    sessionCookie,
    addressOf,
    visitors: createVisitors(createRateLimiter(counting), {
      addressOf,
      personOf: createPersonFinder(calls, sessionCookie),
    }),
    development,
    application: createApplication(pass),
    pass: withPreviousAssets(previous, pages.clock, pass),
    passToWorker: workerUrl === undefined ? null : createInngestPass(workerUrl),
    receiveHeartbeat: createHeartbeatListener({ intake, reception, addressOf, clock, log }),
    serveProbe: probes.listener,
    serveMetrics: metrics.serve,
    accessLog: createAccessLog(environment.ACCESS_LOG, log),
    clock: pages.clock,
    log,
  });
  return metrics.count(front);
}

async function warnOfSettings(environment: Environment, { db, log, ...services }: Parts['calls']) {
  if (environment.SIGN_UP === 'open' && mailedLinkBase(services) === null) {
    log.warn(
      'SIGN_UP=open requires SMTP_URL and APP_URL: until both are set, new users cannot confirm their address',
    );
  }
  const noLanding = await explainNoLanding(db, environment.OIDC_ORGANIZATION ?? null);
  if (noLanding !== null) log.warn(noLanding);
}

/**
 * Starts listening, then loads the Next application. In development, it reloads changed sources and notifies open pages over
 * a WebSocket. Throws StartupError if the port is not available.
 */
async function startWebServer(environment: Environment, log: Logger, development: boolean) {
  const { HOST: host, PORT: port, MAX_CONNECTIONS_PER_ADDRESS, TRUSTED_PROXIES } = environment;
  let respond: RequestListener = respondStarting;
  const server = createHttpServer((request, response) => respond(request, response), {
    maxConnectionsPerAddress: MAX_CONNECTIONS_PER_ADDRESS,
    trustedProxies: TRUSTED_PROXIES,
    log,
  });
  await listenOn(server, { host, port });

  if (!development) await loadConfigSilently(rootPath);
  // Next handles every upgrade of the server it is given, or of the one a request came from, and does not close unknown
  // ones. So it gets a server without connections.
  const app = next({
    dev: development,
    dir: rootPath,
    hostname: host,
    port,
    httpServer: development ? server : createServer(),
  });
  const handle = app.getRequestHandler();
  return {
    /** Resolves to the application once it is loaded. */
    application: app.prepare().then((): RequestListener => {
      restoreDate();
      return (request, response) => {
        void handle(request, response);
      };
    }),
    /** Passes requests to `listener` from now on. Until then, only /api/live succeeds, and not /api/live?ready. */
    open: (listener: RequestListener) => {
      respond = listener;
    },
    /** Accepts no more requests, and gives running ones a few seconds to finish. */
    stop: async () => {
      await stopServer(server);
      await app.close();
    },
  };
}

/** Load balancers request /api/live?ready, which succeeds once this process serves. */
function respondStarting({ url }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Retry-After', '1');
  if (url === '/api/live') respondJson(response, 200, { status: 'ok' });
  else if (url === '/api/health') respondJson(response, 503, STARTING);
  else
    response
      .writeHead(503, { 'Content-Type': 'text/plain' })
      .end('The service is starting. Try again in a moment.\n');
}
