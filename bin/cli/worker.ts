import type { Server } from 'node:http';
import { type Command, Option } from 'commander';
import { readInngestServer } from '@/inngest/inngest-server';
import { runWorker } from '@/inngest/run-worker';
import { requireWakable } from '@/inngest/wake-worker';
import { createLogger, type Logger } from '@/lib/core/logger';
import { limitHeapGrowth } from '@/lib/engine/runtime/heap-growth';
import { DEFAULT_WORKER_PORT, type Environment, getEnvironment } from '@/lib/env';
import { announceReady, stopOnSignal } from './child-process';
import { isInUse, listenOn } from './listen-on';
import { formatLogsForPeople } from './observe/pretty-logs';
import { startTracing } from './observe/start-tracing';
import { openDatabase, requireSharedDatabase } from './open-database';

/** `pharos worker`. */
export function registerWorker(program: Command): void {
  program
    .command('worker')
    .description('Run only the worker: checks, deliveries and email. Requires DATABASE_URL and SECRET_KEY.')
    .option(
      '--connect',
      'connect to Inngest instead of listening on WORKER_PORT; requires Node.js 22.4 or later',
      false,
    )
    .addOption(new Option('--development').hideHelp())
    .action(async ({ connect: connects }: { connect: boolean }) => {
      limitHeapGrowth();
      const environment = requireSharedDatabase(getEnvironment());
      requireWakable(environment, { connects });
      await formatLogsForPeople(environment);
      const log = createLogger(environment.LOG_LEVEL, 'worker');
      const stopTracing = await startTracing('worker', log);
      await openDatabase(environment, log);
      const isCalled = !connects && readInngestServer(environment) !== null;
      const stop = await runWorker(environment, log, {
        connects,
        listen: (server) => listenForWorker(server, environment, { isCalled, log }),
      });
      stopOnSignal(async () => {
        await stop();
        await stopTracing();
      });
      log.info({ regions: environment.PROBE_REGIONS }, 'worker is ready');
      announceReady();
    });
}

/** Listens on WORKER_PORT, by default 3010. If that is taken, a worker that Inngest does not call uses any free port. */
export async function listenForWorker(
  server: Server,
  { HOST: host, WORKER_PORT: port }: Pick<Environment, 'HOST' | 'WORKER_PORT'>,
  { isCalled, log }: { isCalled: boolean; log: Logger },
): Promise<void> {
  const address = { host, port: port ?? DEFAULT_WORKER_PORT, variable: 'WORKER_PORT' };
  try {
    await listenOn(server, address);
  } catch (error) {
    if (port !== undefined || isCalled || !isInUse(error)) throw error;
    log.warn(
      `port ${address.port} is in use, so this worker listens on a free port; set WORKER_PORT to choose one`,
    );
    await listenOn(server, { ...address, port: 0 });
  }
  const bound = server.address();
  log.info({ host, port: typeof bound === 'object' ? bound?.port : port }, 'listening for /live and /health');
}
