import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Worker } from '@/e2e/support/start-worker';
import { createLogger } from '@/lib/core/logger';
import { findFreePort } from '@/lib/core/ports';
import { DEFAULT_WORKER_PORT } from '@/lib/env';
import { healthSchema } from '@/lib/schemas/health';
import { useTestDatabase } from '@/lib/testing/database';
import { startObservedWorker } from './testing/observed-worker';
import { listenForWorker } from './worker';

const database = useTestDatabase();
const log = createLogger('silent', 'test');

function createTestServer() {
  const server = createServer();
  onTestFinished(() => void server.close());
  return server;
}

const portOf = (server: ReturnType<typeof createServer>) => {
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
};

describe('the port of a worker', () => {
  it('is a free one if the default is in use and no port is set', async () => {
    const options = { isCalled: false, log };
    const [first, second] = [createTestServer(), createTestServer()];
    // Another program may use the default port already.
    await listenForWorker(first, { HOST: '127.0.0.1', WORKER_PORT: undefined }, options);
    await listenForWorker(second, { HOST: '127.0.0.1', WORKER_PORT: undefined }, options);
    expect(portOf(second)).toBeGreaterThan(0);
    expect(portOf(second)).not.toBe(DEFAULT_WORKER_PORT);
  });

  it('is the configured one; if that is in use, the start fails and names the setting', async () => {
    const port = await findFreePort();
    const options = { isCalled: false, log };
    const [first, second] = [createTestServer(), createTestServer()];
    await listenForWorker(first, { HOST: '127.0.0.1', WORKER_PORT: port }, options);
    expect(portOf(first)).toBe(port);
    await expect(listenForWorker(second, { HOST: '127.0.0.1', WORKER_PORT: port }, options)).rejects.toThrow(
      `WORKER_PORT ${port} is in use by another program`,
    );
  });

  it('is never different from the one that Inngest calls', async () => {
    const options = { isCalled: true, log };
    const environment = { HOST: '127.0.0.1', WORKER_PORT: undefined };
    const blocker = createTestServer();
    await new Promise<void>((resolve) => {
      blocker.once('error', () => resolve());
      blocker.listen(DEFAULT_WORKER_PORT, '127.0.0.1', resolve);
    });
    await expect(listenForWorker(createTestServer(), environment, options)).rejects.toThrow(
      `WORKER_PORT ${DEFAULT_WORKER_PORT} is in use`,
    );
  });
});

describe('a worker process', () => {
  let worker: Worker;
  let port: number;

  beforeAll(async () => {
    ({ worker, port } = await startObservedWorker(database.url));
  });
  afterAll(async () => {
    await worker.kill();
  });

  it('responds to /live and /health on its port, and nothing else', async () => {
    for (const path of ['/live', '/api/live']) {
      const live = await fetch(`http://localhost:${port}${path}`);
      expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);
    }
    const seen = await fetch(`http://localhost:${port}/health`);
    expect([seen.status, healthSchema.parse(await seen.json()).status]).toEqual([200, 'ok']);
    expect((await fetch(`http://localhost:${port}/`)).status).toBe(404);
  });

  it('has metrics for who has the token', async () => {
    const ask = (token: string) =>
      fetch(`http://localhost:${port}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask('another-token')).status).toBe(401);
    const text = await (await ask('test-metrics-token')).text();
    expect(text).toMatch(/^pharos_check_slots_free\{process="worker"\} \d+$/m);
    expect(text).toMatch(/^process_resident_memory_bytes\{process="worker"\} /m);
  });
});
