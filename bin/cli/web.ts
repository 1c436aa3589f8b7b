import type { Command } from 'commander';
import { checkSecretKey } from '@/lib/context/check-secret-key';
import { createServices } from '@/lib/context/create-services';
import { createLogger } from '@/lib/core/logger';
import { getEnvironment, setForLibraries } from '@/lib/env';
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
      const server = await startWebServer({
        host: environment.HOST,
        port: environment.PORT,
        directory: rootPath,
      });
      stopOnSignal(server.stop);
      await openDatabase(environment);
      const services = createServices(environment, 'pharos web start');
      await checkSecretKey(services);
      await services.db.$disconnect();
      await server.ready;
      createLogger(environment.LOG_LEVEL, 'web').info(
        { host: environment.HOST, port: environment.PORT },
        'web is ready',
      );
      announceReady();
    });
}
