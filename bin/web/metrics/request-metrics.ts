import type { RequestListener } from 'node:http';
import { Counter, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Parts of the service by the first segment of a path; everything else is `pages`. */
const SURFACES = new Map([
  ['api', 'api'],
  ['heartbeat', 'heartbeats'],
  ['probe', 'probes'],
  ['status', 'status-pages'],
  ['_next', 'assets'],
]);

/** Counts the requests to a listener and how long their responses took. Paths are no labels: there is no end of them. */
export function countRequests(registry: Registry, listener: RequestListener): RequestListener {
  const requests = new Counter({
    name: 'pharos_http_requests_total',
    help: 'Responses, by part of the service, method and class of their status; aborted: the client left before',
    labelNames: ['surface', 'method', 'status'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'pharos_http_request_seconds',
    help: 'From a request to the end of its response',
    labelNames: ['surface'],
    buckets: SECONDS,
    registers: [registry],
  });
  return (request, response) => {
    const begunAt = performance.now();
    // The front changes the path of a request on the host of a status page.
    const surface = surfaceOf(request.url ?? '');
    const method = METHODS.find((known) => known === request.method) ?? 'other';
    response.once('close', () => {
      const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted';
      requests.inc({ surface, method, status });
      duration.observe({ surface }, (performance.now() - begunAt) / 1000);
    });
    listener(request, response);
  };
}

function surfaceOf(url: string): string {
  const [, segment = ''] = /^\/([^/?]*)/.exec(url) ?? [];
  return SURFACES.get(segment) ?? 'pages';
}
