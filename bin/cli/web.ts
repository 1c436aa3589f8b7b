import type { Command } from 'commander';
import { checkSecretKey } from '@/lib/context/check-secret-key';
import { createServices } from '@/lib/context/create-services';
import { createLogger } from '@/lib/core/logger';
import { getEnvironment, setForLibraries } from '@/lib/env';
import { shareLiveHub } from '@/lib/http/live-hub';
import { onSettlePages } from '@/lib/http/settle-pages';
import { createLiveHub } from '@/lib/live/hub';
import { mailedLinkBase } from '@/lib/people/links';
import { createApplication } from '../web/application';
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
    .action(async () => {
      const environment = requireSharedDatabase(getEnvironment());
      await requireFreePort({ host: environment.HOST, port: environment.PORT });
      await buildWebApplication();
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
      });
      const live = createLiveHub();
      shareLiveHub(live);
      // Streams last as long as they are let: they end first.
      const stops = [async () => live.suspend(), server.stop];
      stopOnSignal(async () => {
        for (const stop of stops) await stop();
      });
      const { url } = await openDatabase(environment);
      const { db, ...services } = createServices({ ...environment, DATABASE_POOL: 2 }, 'pharos web front');
      stops.push(() => db.$disconnect());
      await checkSecretKey({ db, ...services });
      const pages = await startPageService({
        url,
        db,
        live,
        cacheMegabytes: environment.PAGE_CACHE_MB,
        log,
      });
      stops.push(pages.stop);
      onSettlePages(pages.settle);
      const pass = await server.application;
      server.open(
        createFront({
          appUrl: environment.APP_URL,
          trustedProxies: environment.TRUSTED_PROXIES,
          findPage: pages.domains.find,
          cache: pages.cache,
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
