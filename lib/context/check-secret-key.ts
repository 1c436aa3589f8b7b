import { StartupError } from '@/lib/core/errors';
import type { Services } from './services';

/**
 * Keeps a check value of the secret key in the database, and throws `StartupError` for a process that has another key:
 * it could open none of the stored secrets and would end every session.
 */
export async function checkSecretKey({ db, keyring, clock }: Services): Promise<void> {
  const secretKeyCheck = keyring.derive('secret key check');
  await db.instance.createMany({
    data: { id: 1, secretKeyCheck, createdAt: clock.now() },
    skipDuplicates: true,
  });
  const instance = await db.instance.findUniqueOrThrow({ where: { id: 1 } });
  if (instance.secretKeyCheck !== secretKeyCheck) {
    throw new StartupError(
      'SECRET_KEY is not the one this database was set up with; start with the key that was used before',
    );
  }
}
