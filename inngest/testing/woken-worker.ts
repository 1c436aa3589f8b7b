import { createLogger } from '@/lib/core/logger';
import { findFreePort } from '@/lib/core/ports';
import { parseEnvironment } from '@/lib/env';
import { TEST_SECRET_KEY } from '@/lib/testing/services';
import { runWorker } from '../run-worker';
import { KEYS } from './sign';

/** Starts a worker in this process that is woken by an Inngest server, and returns its address. */
export async function startWokenWorker(
  databaseUrl: string,
  inngestUrl: string,
  { registers, ...settings }: { registers: boolean; [setting: string]: string | boolean },
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = parseEnvironment({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: TEST_SECRET_KEY,
    // Responds, by refusing: no lookup leaves the machine.
    NETWORK_CANARY: '127.0.0.1:1',
    HOST: '127.0.0.1',
    WORKER_PORT: String(port),
    INNGEST_BASE_URL: inngestUrl,
    ...(registers ? { INNGEST_SERVE_ORIGIN: url } : {}),
    ...KEYS,
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
  });
  return { url, stop: await runWorker(environment, createLogger('silent', 'test')) };
}
