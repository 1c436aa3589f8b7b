import { createKeyring } from '@/lib/core/keyring';
import type { Environment } from '@/lib/env';
import { createDatabase } from '@/lib/platform/db/client';
import { createDatabaseClock, type DatabaseClock } from '@/lib/platform/db/database-clock';
import type { Services } from './services';

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
