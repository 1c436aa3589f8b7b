import 'server-only';
import type { Pool } from 'pg';
import { createLogger, type Logger } from '@/lib/core/logger';
import { runOutsideRequests } from '@/lib/core/request-context';
import { createServices, type ProcessServices, type Services } from '@/lib/domain/context/services';
import { type Environment, getEnvironment } from '@/lib/env';
import { createDatabase } from '@/lib/platform/db/client';
import { getRequestedResults, getSharedClock, getSharedCounting, getSharedMail } from './process-shared';
import { createCountingPool, createRateLimiter, type RateLimiter } from './rate-limit';

/** No statement of a member or client takes this long; those of visitors have less. */
const STATEMENT_MS = 60_000;
/** What anyone can start has its own few connections, so that those of members and clients stay free, and ends soon. */
const VISITORS = { poolSize: 4, statementTimeoutMs: 5000, name: 'pharos visitors' };

type Web = {
  services: ProcessServices;
  /** The same for requests of visitors to status pages. */
  visitorServices: Services;
  rateLimiter: RateLimiter;
  counting: Pool;
  log: Logger;
};

/** Next evaluates modules more than once per process; pool and clock must exist once. */
const shared = globalThis as typeof globalThis & { pharosWeb?: Web };

/** The services of this web process, created at the first request. */
export function getWeb(): Web {
  shared.pharosWeb ??= runOutsideRequests(createWeb);
  return shared.pharosWeb;
}

function createWeb(): Web {
  const environment = getEnvironment();
  const log = createLogger(environment.LOG_LEVEL, 'web');
  const created = createServices(environment, 'pharos web', { statementTimeoutMs: STATEMENT_MS });
  const services = { ...withMail(withClock(created)), requestedResults: getRequestedResults() ?? undefined };
  const counting = getSharedCounting() ?? openCounting(environment.DATABASE_URL, log);
  const visitorServices = { ...services, db: openVisitorDatabase(environment) };
  return { services, visitorServices, rateLimiter: createRateLimiter(counting), counting, log };
}

/** Past a pooler, which cannot end a statement for one of its clients alone. */
function openVisitorDatabase({ DATABASE_DIRECT_URL }: Environment): Services['db'] {
  if (DATABASE_DIRECT_URL === undefined) throw new Error('DATABASE_URL must be set');
  return createDatabase(DATABASE_DIRECT_URL, VISITORS);
}

/** Where our server has no pool for counting: Next runs without it. */
function openCounting(url: string | undefined, log: Logger): Pool {
  return createCountingPool(url, (error) => {
    // A request has opened the connection, which later ones used.
    runOutsideRequests(() => log.warn({ err: error }, 'lost a connection for counting requests'));
  });
}

/** With the clock of our server, which is measured before the first request. */
function withClock(services: ProcessServices): ProcessServices {
  const clock = getSharedClock();
  if (clock) return { ...services, clock };
  void services.clock.measure().catch(() => undefined);
  services.clock.follow();
  return services;
}

/** With the mail server of our server, which follows its changes. */
function withMail(services: ProcessServices): ProcessServices {
  const mail = getSharedMail();
  if (mail) return { ...services, mail };
  void services.mail.refresh().catch(() => undefined);
  return services;
}
