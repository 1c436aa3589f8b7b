import type { Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { type Progress, rotateSecrets } from '@/lib/domain/secrets/rotate-secrets';
import { getEnvironment } from '@/lib/env';
import { addSecretKey, ensureDataDir, forgetPreviousSecretKeys, lockDataDir } from '@/lib/platform/postgres';
import { printResult, withServices } from './open-database';

/** `pharos secrets rotate` and `pharos secrets forget`. */
export function registerSecrets(program: Command): void {
  const secrets = program.command('secrets').description('Change the key that seals what is stored.');

  secrets
    .command('rotate')
    .description(
      'Seal everything anew under SECRET_KEY, from the keys in PREVIOUS_SECRET_KEYS; prints {resealed}. With the embedded database, while the service is stopped, it makes the new key itself. May be interrupted and run again.',
    )
    .action(async () => {
      const { SECRET_KEY, PREVIOUS_SECRET_KEYS, DATA_DIR } = getEnvironment();
      if (SECRET_KEY === undefined) await whileStopped(DATA_DIR, addSecretKey);
      else if (PREVIOUS_SECRET_KEYS.length === 0) {
        throw new StartupError(
          'PREVIOUS_SECRET_KEYS must name the key before: give SECRET_KEY a new value and put its old one there',
        );
      }
      printResult({ resealed: await withServices((services) => rotateSecrets(services, tellProgress)) });
    });

  secrets
    .command('forget')
    .description(
      'With the embedded database, while the service is stopped: forget the previous keys, after a rotation. Sessions, and links in mails, that were made under them end. Prints {forgotten}.',
    )
    .action(async () => {
      const { DATA_DIR, SECRET_KEY } = getEnvironment();
      if (SECRET_KEY !== undefined) {
        throw new StartupError('SECRET_KEY is set: take the keys out of PREVIOUS_SECRET_KEYS instead');
      }
      await whileStopped(DATA_DIR, async () => undefined);
      // What an interrupted rotation left would be lost with the keys.
      await withServices((services) => rotateSecrets(services, tellProgress));
      let forgotten = 0;
      await whileStopped(DATA_DIR, async (dataDir) => {
        forgotten = await forgetPreviousSecretKeys(dataDir);
      });
      printResult({ forgotten });
    });
}

function tellProgress({ column, resealed, outdated }: Progress): void {
  process.stderr.write(`${column}: ${resealed} of ${outdated}\n`);
}

/** Running processes would not know the key that others seal under: they have to be stopped for the change. */
async function whileStopped(directory: string, change: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await ensureDataDir(directory);
  const lock = lockDataDir(dataDir);
  try {
    await change(dataDir);
  } finally {
    lock.release();
  }
}
