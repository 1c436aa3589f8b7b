import type { Command } from 'commander';
import { runWorker } from '@/inngest/run-worker';
import { createLogger } from '@/lib/core/logger';
import { getEnvironment } from '@/lib/env';
import { announceReady, stopOnSignal } from './child-process';
import { openDatabase } from './open-database';
import { requireSharedDatabase } from './require-shared-database';

/** `pharos worker`. */
export function registerWorker(program: Command): void {
  program
    .command('worker')
    .description('Run the engine alone: checks and deliveries. Needs DATABASE_URL and SECRET_KEY.')
    .action(async () => {
      const environment = requireSharedDatabase(getEnvironment());
      await openDatabase(environment);
      const log = createLogger(environment.LOG_LEVEL, 'worker');
      const stop = await runWorker(environment, log);
      stopOnSignal(stop);
      log.info({ regions: environment.PROBE_REGIONS }, 'worker is ready');
      announceReady();
    });
}
