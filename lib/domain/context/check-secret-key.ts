import { StartupError } from '@/lib/core/errors';
import type { Keyring } from '@/lib/core/keyring';
import type { Services } from './services';

const PURPOSE = 'secret key check';

/**
 * Holds the keys of this process against the check values in the database, which name every key that something may be
 * sealed under. Throws `StartupError` for a process that lacks one: it could open none of those secrets and would end every
 * session. A new SECRET_KEY beside the previous one is noted, so that from now on nobody starts without it.
 */
export async function checkSecretKey({ db, keyring, clock }: Services): Promise<void> {
  const current = keyring.derive(PURPOSE);
  await db.instance.createMany({
    data: { id: 1, secretKeyChecks: [current], createdAt: clock.now() },
    skipDuplicates: true,
  });
  const { secretKeyChecks } = await db.instance.findUniqueOrThrow({ where: { id: 1 } });
  const known = keyring.deriveAll(PURPOSE);
  if (!secretKeyChecks.every((check) => known.includes(check))) {
    throw new StartupError(
      'SECRET_KEY is not the one this database was set up with; start with the key that was used before, or name that one in PREVIOUS_SECRET_KEYS',
    );
  }
  if (secretKeyChecks.includes(current)) return;
  await db.$executeRaw`
    UPDATE instance SET secret_key_checks = array_append(secret_key_checks, ${current})
     WHERE id = 1 AND NOT ${current} = ANY(secret_key_checks)`;
}

/** Says that nothing is sealed under any key but the current one: no process needs the others any more. */
export async function forgetPreviousKeys({
  db,
  keyring,
}: {
  db: Services['db'];
  keyring: Keyring;
}): Promise<void> {
  await db.instance.update({ where: { id: 1 }, data: { secretKeyChecks: [keyring.derive(PURPOSE)] } });
}
