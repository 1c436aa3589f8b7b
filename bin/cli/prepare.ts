import type { Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { createLogger } from '@/lib/core/logger';
import { checkSecretKey, createServices } from '@/lib/domain/context/services';
import { isSetUpOpen, setUpPath } from '@/lib/domain/organizations/create-organization';
import { type Environment, getEnvironment } from '@/lib/env';
import { waitForDatabase } from '@/lib/platform/db/connections/wait-for-database';
import { bringUpToDate } from './backup/before-migrations';
import { stopOnSignal } from './child-process';
import { publicUrl } from './paths';
import type { Preparation } from './prepare-database';

/** `pharos prepare`: the part of `pharos start` that needs Prisma, run separately to save memory in the launcher. */
export function registerPrepare(program: Command): void {
  program
    .command('prepare', { hidden: true })
    .description('Migrate the database and check the secret key, for "start".')
    .option('--backups <directory>', 'back up the database to it before migrating')
    .action(async ({ backups = null }: { backups?: string | null }) => {
      stopOnSignal(async () => undefined);
      const preparation = await prepare(getEnvironment(), backups).catch((error: unknown): Preparation => {
        if (error instanceof StartupError) return { problem: error.message };
        throw error;
      });
      process.send?.(preparation, () => process.disconnect());
    });
}

async function prepare(environment: Environment, directory: string | null): Promise<Preparation> {
  const { DATABASE_DIRECT_URL: url = '' } = environment;
  const log = createLogger(environment.LOG_LEVEL, 'start');
  const wait = { url, log };
  await waitForDatabase(async () => {
    await bringUpToDate(
      { url, directory, report: (line) => log.warn(line), note: (line) => log.info(line) },
      environment,
    );
  }, wait);
  return { greeting: await waitForDatabase(() => prepareGreeting(environment), wait) };
}

/** The line to print when everything is ready. The address of a new installation contains the setup token. */
async function prepareGreeting(environment: Environment): Promise<string> {
  const services = createServices(environment, 'pharos start');
  try {
    await checkSecretKey(services);
    const path = (await isSetUpOpen(services.db)) ? setUpPath(services.keyring) : '';
    return `${environment.SERVICE_NAME} is ready at ${publicUrl(environment)}${path}`;
  } finally {
    await services.db.$disconnect();
  }
}
