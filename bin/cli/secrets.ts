import type { Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { type Progress, rotateSecrets } from '@/lib/domain/secrets/rotate-secrets';
import { getEnvironment } from '@/lib/env';
import { addSecretKey, ensureDataDir, forgetPreviousSecretKeys, lockDataDir } from '@/lib/platform/postgres';
import { printResult, withServices } from './open-database';

/** `pharos secrets rotate` and `pharos secrets forget`. */
export function registerSecrets(program: Command): void {
  const secrets = program.command('secrets').description('Change the key that encrypts stored secrets.');

  secrets
    .command('rotate')
    .description(
      'Re-encrypt stored secrets with SECRET_KEY, from the keys in PREVIOUS_SECRET_KEYS; prints {resealed}. With the embedded database, stop the service first; the command creates the new key. It can be interrupted and run again.',
    )
    .action(async () => {
      const { SECRET_KEY, PREVIOUS_SECRET_KEYS, DATA_DIR } = getEnvironment();
      if (SECRET_KEY === undefined) await whileStopped(DATA_DIR, addSecretKey);
      else if (PREVIOUS_SECRET_KEYS.length === 0) {
        throw new StartupError(
          'PREVIOUS_SECRET_KEYS must contain the previous key: set SECRET_KEY to a new value and add the old one there',
        );
      }
      printResult({ resealed: await withServices((services) => rotateSecrets(services, printProgress)) });
    });

  secrets
    .command('forget')
    .description(
      'Delete the previous keys of the embedded database after a rotation. Stop the service first. Sessions and email links signed with them become invalid. Prints {forgotten}.',
    )
    .action(async () => {
      const { DATA_DIR, SECRET_KEY } = getEnvironment();
      if (SECRET_KEY !== undefined) {
        throw new StartupError('SECRET_KEY is set: remove the keys from PREVIOUS_SECRET_KEYS instead');
      }
      await whileStopped(DATA_DIR, async () => undefined);
      // Values left by an interrupted rotation would be lost with the keys.
      await withServices((services) => rotateSecrets(services, printProgress));
      let forgotten = 0;
      await whileStopped(DATA_DIR, async (dataDir) => {
        forgotten = await forgetPreviousSecretKeys(dataDir);
      });
      printResult({ forgotten });
    });
}

function printProgress({ column, resealed, outdated }: Progress): void {
  process.stderr.write(`${column}: ${resealed} of ${outdated}\n`);
}

/** Running processes would not know the new key, so they must be stopped for the change. */
async function whileStopped(directory: string, change: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await ensureDataDir(directory);
  const lock = lockDataDir(dataDir);
  try {
    await change(dataDir);
  } finally {
    lock.release();
  }
}
