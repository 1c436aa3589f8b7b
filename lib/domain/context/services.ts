import type { Clock } from '@/lib/core/clock';
import { StartupError } from '@/lib/core/errors';
import { createKeyring, type Keyring } from '@/lib/core/keyring';
import type { Environment } from '@/lib/env';
import { createDatabase, type Database } from '@/lib/platform/db/client';
import { createDatabaseClock, type DatabaseClock } from '@/lib/platform/db/database-clock';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';

const PURPOSE = 'secret key check';

/** What every verb may reach: handed in, so that tests bring their own database and turn the clock. */
export type Services = {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  targetPolicy: TargetPolicy;
  /** Whether this installation sends e-mail; where it does not, a link is shown instead of mailed. */
  mail: { isOn: boolean };
  /** How long people stay signed in: after signing in at most, and without using the dashboard. */
  sessions: { lifetimeMs: number; idleMs: number };
  /** Where people open the dashboard (APP_URL), without a slash at the end; null: not known, and no link is made. */
  appUrl: string | null;
};

/** The services of a process, and what the process itself needs of them. */
export type ProcessServices = Services & { clock: DatabaseClock };

/**
 * Builds the services of a process from its environment. `DATABASE_URL` and `SECRET_KEY` must be there: with the embedded
 * database, `pharos start` sets them for its children. Nothing connects yet.
 */
export function createServices(environment: Environment, name: string): ProcessServices {
  const { DATABASE_URL, DATABASE_POOL, SECRET_KEY, PREVIOUS_SECRET_KEYS } = environment;
  if (DATABASE_URL === undefined || SECRET_KEY === undefined) {
    throw new Error('services need DATABASE_URL and SECRET_KEY');
  }
  const db = createDatabase(DATABASE_URL, { poolSize: DATABASE_POOL, name });
  return {
    db,
    clock: createDatabaseClock(db),
    keyring: createKeyring(SECRET_KEY, PREVIOUS_SECRET_KEYS),
    targetPolicy: { mode: environment.TARGET_POLICY, allowedCidrs: environment.ALLOWED_PRIVATE_CIDRS },
    mail: { isOn: environment.SMTP_URL !== undefined },
    sessions: {
      lifetimeMs: environment.SESSION_LIFETIME_DAYS * 86_400_000,
      idleMs: environment.SESSION_IDLE_HOURS * 3_600_000,
    },
    appUrl: environment.APP_URL ?? null,
  };
}

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
export async function dropPreviousKeys({
  db,
  keyring,
}: {
  db: Services['db'];
  keyring: Keyring;
}): Promise<void> {
  await db.instance.update({ where: { id: 1 }, data: { secretKeyChecks: [keyring.derive(PURPOSE)] } });
}
