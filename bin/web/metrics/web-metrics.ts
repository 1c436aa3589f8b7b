import type { RequestListener } from 'node:http';
import type { Logger } from '@/lib/core/logger';
import { registerServiceMetrics, type ServiceSource } from '@/lib/engine/metrics/service-metrics';
import { createProcessRegistry } from '@/lib/platform/metrics/process-registry';
import { createMetricsListener } from '@/lib/platform/metrics/serve-metrics';
import { countRequests } from './request-metrics';

type Options = ServiceSource & {
  /** METRICS_TOKEN. */
  token: string | undefined;
  log: Logger;
};

/** The metrics of a web process; without a token nothing is counted, and `serve` is null. */
export function createWebMetrics({ token, log, ...source }: Options): {
  serve: RequestListener | null;
  /** Counts the requests to a listener. */
  count(listener: RequestListener): RequestListener;
} {
  if (token === undefined) return { serve: null, count: (listener) => listener };
  const registry = createProcessRegistry('web');
  const refresh = registerServiceMetrics(registry, source);
  return {
    serve: createMetricsListener({ registry, refresh, token, log }),
    count: (listener) => countRequests(registry, listener),
  };
}
