import 'server-only';
import { Pool } from 'pg';
import { createLogger, type Logger } from '@/lib/core/logger';
import { runOutsideRequests } from '@/lib/core/request-context';
import { createServices, type ProcessServices } from '@/lib/domain/context/services';
import { getEnvironment } from '@/lib/env';
import { countPool } from '@/lib/platform/db/connections/pools';
import { getSharedClock } from './process-shared';
import { createRateLimiter, type RateLimiter } from './rate-limit';

type Web = {
  services: ProcessServices;
  rateLimiter: RateLimiter;
  /** Connections reserved for counting, so that a queue of requests cannot delay it. */
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
  const services = withClock(createServices(environment, 'pharos web'));
  const counting = new Pool({
    connectionString: environment.DATABASE_URL,
    max: 2,
    application_name: 'pharos limits',
  });
  countPool('pharos limits', counting);
  counting.on('error', (error) => {
    // A request has opened the connection, which later ones used.
    runOutsideRequests(() => log.warn({ err: error }, 'lost a connection for counting requests'));
  });
  return { services, rateLimiter: createRateLimiter(counting), counting, log };
}

/** With the clock of our server, which is measured before the first request. */
function withClock(services: ProcessServices): ProcessServices {
  const clock = getSharedClock();
  if (clock) return { ...services, clock };
  void services.clock.measure().catch(() => undefined);
  services.clock.follow();
  return services;
}
