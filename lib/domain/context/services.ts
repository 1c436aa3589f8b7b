import { StartupError } from '@/lib/core/errors';
import { createKeyring, type Keyring } from '@/lib/core/keyring';
import type { Clock } from '@/lib/core/time/clock';
import type { Wake } from '@/lib/core/time/wake';
import type { Environment } from '@/lib/env';
import { createDatabase, type Database } from '@/lib/platform/db/client';
import { createDatabaseClock, type DatabaseClock } from '@/lib/platform/db/database-clock';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';
import { createLiveMail, type LiveMail } from './live-mail';
import type { RacePoints } from './race-points';

const PURPOSE = 'secret key check';

/** The dependencies of every verb, injected so that tests can use their own database and clock. */
export type Services = {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  targetPolicy: TargetPolicy;
  /** Whether this installation sends email at present; if not, links are shown instead of mailed. */
  mail: { readonly isOn: boolean };
  /** A URL by which push services can reach the operator: APP_URL with https, otherwise the sender of email. */
  contact: string;
  /** Maximum age and idle time of a session. */
  sessions: { lifetimeMs: number; idleMs: number };
  /** The URL of the dashboard (APP_URL) without a trailing slash; null: unknown, texts contain no links. */
  appUrl: string | null;
  /** Rings when workers store results of requested checks and dry runs; without it, they are looked for. */
  requestedResults?: Wake;
  /** Only in tests of races. */
  races?: RacePoints;
};

/** The services with what only the process itself needs. */
export type ProcessServices = Services & { clock: DatabaseClock; mail: LiveMail };

/**
 * Creates the services of a process from its environment, without connecting. Requires `DATABASE_URL` and `SECRET_KEY`; with
 * the embedded database, `pharos start` sets them for its child processes.
 */
export function createServices(
  environment: Environment,
  name: string,
  { statementTimeoutMs }: { statementTimeoutMs?: number } = {},
): ProcessServices {
  const { DATABASE_URL, DATABASE_POOL, HAS_POOLER, SECRET_KEY, PREVIOUS_SECRET_KEYS } = environment;
  if (DATABASE_URL === undefined || SECRET_KEY === undefined) {
    throw new Error('DATABASE_URL and SECRET_KEY must be set');
  }
  const pool = { poolSize: DATABASE_POOL, name, hasPooler: HAS_POOLER, statementTimeoutMs };
  const db = createDatabase(DATABASE_URL, pool);
  const keyring = createKeyring(SECRET_KEY, PREVIOUS_SECRET_KEYS);
  const targetPolicy = { mode: environment.TARGET_POLICY, allowedCidrs: environment.ALLOWED_PRIVATE_CIDRS };
  return {
    db,
    clock: createDatabaseClock(db),
    keyring,
    targetPolicy,
    mail: createLiveMail({ db, keyring, targetPolicy }, environment),
    sessions: {
      lifetimeMs: environment.SESSION_LIFETIME_DAYS * 86_400_000,
      idleMs: environment.SESSION_IDLE_HOURS * 3_600_000,
    },
    appUrl: environment.APP_URL ?? null,
    contact: contactOf(environment),
  };
}

function contactOf({ APP_URL, MAIL_FROM }: Pick<Environment, 'APP_URL' | 'MAIL_FROM'>): string {
  return APP_URL?.startsWith('https:') ? APP_URL : `mailto:${MAIL_FROM.address}`;
}

/**
 * Compares the keys of this process with the check values in the database, one for each key that may have sealed a secret.
 * Throws `StartupError` if a key is missing: the process could not open those secrets and would end every session. A new
 * SECRET_KEY is recorded, so from then on every process needs it.
 */
export async function checkSecretKey({ db, keyring, clock }: Services): Promise<void> {
  const current = keyring.derive(PURPOSE);
  await db.instance.createMany({
    data: { id: 1, secretKeyChecks: [current], createdAt: clock.now() },
    skipDuplicates: true,
  });
  const { secretKeyChecks } = await db.instance.findUniqueOrThrow({ where: { id: 1 } });
  if (!hasSecretKeys(keyring, secretKeyChecks)) {
    throw new StartupError(
      'SECRET_KEY does not match this database. Start with the key that was used before, or add that key to PREVIOUS_SECRET_KEYS',
    );
  }
  if (secretKeyChecks.includes(current)) return;
  await db.$executeRaw`
    UPDATE instance SET secret_key_checks = array_append(secret_key_checks, ${current})
     WHERE id = 1 AND NOT ${current} = ANY(secret_key_checks)`;
}

/** Whether a keyring has all keys that the check values in the database (`instance`) are from. */
export function hasSecretKeys(keyring: Keyring, secretKeyChecks: readonly string[]): boolean {
  const known = keyring.deriveAll(PURPOSE);
  return secretKeyChecks.every((check) => known.includes(check));
}

/** Records that everything is sealed with the current key: processes no longer need the previous ones. */
export async function dropPreviousKeys({ db, keyring }: Pick<Services, 'db' | 'keyring'>): Promise<void> {
  await db.instance.update({ where: { id: 1 }, data: { secretKeyChecks: [keyring.derive(PURPOSE)] } });
}
