import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Health } from '@/lib/engine/health/health';
import { METRICS_PATH } from '@/lib/platform/metrics/serve-metrics';

/** The HTTP server of a worker process, on WORKER_PORT. */
export type WorkerServer = Awaited<ReturnType<typeof startWorkerServer>>;

/** More than Inngest ever opens; a flood must not use up the descriptors that checks need. */
const MAX_CONNECTIONS = 2048;

/**
 * Starts the server: /live responds while the process is running, /health reports the health of the service;
 * both are also available below /api, as in the web process. `listen` binds it.
 */
export async function startWorkerServer({
  health,
  serveMetrics = null,
  listen,
  log,
}: {
  health: Pick<Health, 'read'>;
  /** Responds to Prometheus; null: METRICS_TOKEN is not set. */
  serveMetrics?: RequestListener | null;
  listen: (server: Server) => Promise<void>;
  log: Logger;
}) {
  let others: RequestListener = (_request, response) =>
    respond(response, 404, { message: 'Nothing found at this path.' });
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0]?.replace(/^\/api(?=\/)/, '');
    if (path === '/live') respond(response, 200, { status: 'ok' });
    else if (path === '/health') void respondHealth(response);
    else if (path === METRICS_PATH && serveMetrics !== null) serveMetrics(request, response);
    else others(request, response);
  });
  const respondHealth = async (response: ServerResponse) => {
    try {
      const report = await health.read();
      respond(response, report.status === 'down' ? 503 : 200, report);
    } catch (error) {
      log.error({ err: error }, `could not read health: ${describeError(error)}`);
      respond(response, 500, { message: 'Could not read health. See the worker log.' });
    }
  };
  server.maxConnections = MAX_CONNECTIONS;
  // Longer than proxies keep connections, so that no connection is closed during a call.
  server.keepAliveTimeout = 65_000;
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** Handles every other path with `listener`. */
    mount: (listener: RequestListener): void => {
      others = listener;
    },
    close: async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function respond(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
