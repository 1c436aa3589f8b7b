import { StartupError } from '@/lib/core/errors';
import type { Environment } from '@/lib/env';

/** Web and worker started apart share a database of their own: the embedded one belongs to `pharos start`. */
export function requireSharedDatabase(environment: Environment): Environment {
  if (environment.DATABASE_URL !== undefined) return environment;
  throw new StartupError(
    'DATABASE_URL must be set to run web and worker apart; "pharos start" runs both with an embedded PostgreSQL',
  );
}
