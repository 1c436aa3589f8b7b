import type { RequestListener } from 'node:http';
import type { Logger } from '@/lib/core/logger';
import { registerServiceMetrics, type ServiceSource } from '@/lib/engine/metrics/service-metrics';
import { readPools } from '@/lib/platform/db/connections/pools';
import { createProcessRegistry } from '@/lib/platform/metrics/process-registry';
import { createMetricsListener } from '@/lib/platform/metrics/serve-metrics';
import type { PageCache } from '@/lib/platform/page-front';
import { PLAIN_SECURITY_HEADERS } from '../security-headers';
import { registerPageCacheMetrics } from './page-cache-metrics';
import { countRequests } from './request-metrics';

type Options = ServiceSource & {
  /** METRICS_TOKEN. */
  token: string | undefined;
  cache: Pick<PageCache, 'usage'>;
  log: Logger;
};

/** The metrics of a web process; without a token nothing is counted, and `serve` is null. */
export function createWebMetrics({ token, log, cache, ...source }: Options): {
  serve: RequestListener | null;
  /** Counts the requests to a listener. */
  count(listener: RequestListener): RequestListener;
} {
  if (token === undefined) return { serve: null, count: (listener) => listener };
  const registry = createProcessRegistry('web', readPools);
  registerPageCacheMetrics(registry, cache);
  const refresh = registerServiceMetrics(registry, source);
  const serve = createMetricsListener({ registry, refresh, token, log });
  return {
    serve: (request, response) => {
      response.setHeaders(new Map(Object.entries(PLAIN_SECURITY_HEADERS)));
      serve(request, response);
    },
    count: (listener) => countRequests(registry, listener),
  };
}
