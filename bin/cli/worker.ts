import type { Command } from 'commander';
import { runWorker } from '@/inngest/run-worker';
import { requireWakable } from '@/inngest/wake-worker';
import { createLogger } from '@/lib/core/logger';
import { DEFAULT_WORKER_PORT, getEnvironment } from '@/lib/env';
import { announceReady, stopOnSignal } from './child-process';
import { listenOn } from './listen-on';
import { openDatabase } from './open-database';
import { requireSharedDatabase } from './require-shared-database';

/** `pharos worker`. */
export function registerWorker(program: Command): void {
  program
    .command('worker')
    .description('Run the engine alone: checks and deliveries. Needs DATABASE_URL and SECRET_KEY.')
    .option(
      '--connect',
      'connect to Inngest from here instead of listening for it on WORKER_PORT; needs Node.js 22.4',
      false,
    )
    .action(async ({ connect: connects }: { connect: boolean }) => {
      const environment = requireSharedDatabase(getEnvironment());
      requireWakable(environment, { connects });
      await openDatabase(environment);
      const log = createLogger(environment.LOG_LEVEL, 'worker');
      const { HOST: host, WORKER_PORT: port = DEFAULT_WORKER_PORT } = environment;
      const stop = await runWorker(environment, log, {
        connects,
        listen: (server) => listenOn(server, { host, port, variable: 'WORKER_PORT' }),
      });
      stopOnSignal(stop);
      log.info({ regions: environment.PROBE_REGIONS }, 'worker is ready');
      announceReady();
    });
}
