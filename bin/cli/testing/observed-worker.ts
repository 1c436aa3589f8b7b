import { startWorker, type Worker } from '@/e2e/support/start-worker';
import { findFreePort } from '@/lib/core/ports';
import { TEST_SECRET_KEY } from '@/lib/testing/services';

/** Starts a worker of this database that can be asked for its health and its metrics. */
export async function startObservedWorker(databaseUrl: string): Promise<{ worker: Worker; port: number }> {
  const port = await findFreePort();
  const worker = await startWorker({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: TEST_SECRET_KEY,
    WORKER_PORT: String(port),
    // Responds, by refusing: no lookup leaves the machine.
    NETWORK_CANARY: '127.0.0.1:1',
    METRICS_TOKEN: 'test-metrics-token',
    LOG_LEVEL: 'fatal',
  });
  return { worker, port };
}
