import { type Command, Option } from 'commander';
import { readInngestServer } from '@/inngest/inngest-server';
import { createLogger } from '@/lib/core/logger';
import { checkSecretKey } from '@/lib/domain/context/check-secret-key';
import { createServices } from '@/lib/domain/context/create-services';
import { mailedLinkBase } from '@/lib/domain/people/links';
import { createHealth } from '@/lib/engine/health/health';
import { getEnvironment, setForLibraries } from '@/lib/env';
import { waitForDatabase } from '@/lib/platform/db/wait-for-database';
import { createLiveHub } from '@/lib/platform/live/hub';
import { shareHealth } from '@/lib/web/http/health';
import { shareLiveHub } from '@/lib/web/http/live-hub';
import { onSettlePages } from '@/lib/web/http/settle-pages';
import { createApplication } from '../web/application';
import { boundBodies } from '../web/bounded-bodies';
import { createFront } from '../web/front';
import { createInngestPass } from '../web/inngest-pass';
import { startPageService } from '../web/page-service';
import { buildWebApplication } from './build-web-application';
import { announceReady, stopOnSignal } from './child-process';
import { requireFreePort } from './listen-on';
import { openDatabase } from './open-database';
import { rootPath } from './paths';
import { publicUrl } from './public-url';
import { requireSharedDatabase } from './require-shared-database';
import { startWebServer } from './web-server';

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
        db,
        live,
        cacheMegabytes: environment.PAGE_CACHE_MB,
        log,
      });
      stops.push(pages.stop);
      onSettlePages(pages.settle);
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
