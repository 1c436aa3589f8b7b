import 'server-only';
import { createServices, type ProcessServices } from '@/lib/context/create-services';
import { createLogger, type Logger } from '@/lib/core/logger';
import { getEnvironment } from '@/lib/env';

type Web = { services: ProcessServices; log: Logger };

/** Next evaluates modules more than once in a process; the pool and the clock must be there once. */
const shared = globalThis as typeof globalThis & { pharosWeb?: Web };

/** The services of this web process, made at the first request. */
export function getWeb(): Web {
  shared.pharosWeb ??= createWeb();
  return shared.pharosWeb;
}

function createWeb(): Web {
  const environment = getEnvironment();
  const services = createServices(environment, 'pharos web');
  void services.clock.measure().catch(() => undefined);
  services.clock.follow();
  return { services, log: createLogger(environment.LOG_LEVEL, 'web') };
}
