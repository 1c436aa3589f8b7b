import { createLogger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { createEngine, type Engine } from '../create-engine';
import { simulateNetwork } from './simulated-network';

/** How many checks the engine runs at a time. */
export const SLOTS = 10;

/** The engine of a worker without log and email, whose network works; the caller stops it. */
export function createTestEngine(
  services: Services,
  { workerId = 'wrk_test', network = simulateNetwork([]).network } = {},
): Engine {
  return createEngine({
    workerId,
    services,
    serviceName: 'Pharos',
    checkConcurrency: SLOTS,
    dnsServers: [],
    network,
    mail: null,
    domainsNeedProof: true,
    onCutOff: () => undefined,
    log: createLogger('silent', 'test'),
  });
}
