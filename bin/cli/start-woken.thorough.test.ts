import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiClient } from '@/e2e/support/api-client';
import { createOrganizationByCommand } from '@/e2e/support/run-pharos';
import { type Service, startService } from '@/e2e/support/start-service';
import { startTestInngest, type TestInngest } from '@/inngest/testing/inngest-server';
import { KEYS } from '@/inngest/testing/sign';
import { findFreePort } from '@/lib/core/ports';
import { startTarget, type Target } from '@/lib/testing/target';

const ENDPOINT = '/api/inngest';
let inngest: TestInngest;
let service: Service;
let target: Target;
let workerPort: number;

beforeAll(async () => {
  [inngest, target] = await Promise.all([startTestInngest(), startTarget()]);
  workerPort = await findFreePort();
  const env = { ...KEYS, INNGEST_BASE_URL: inngest.url, WORKER_PORT: String(workerPort) };
  service = await startService({ env });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([inngest?.close(), target?.close()]);
});

describe('pharos start, with the keys of an Inngest server', () => {
  it('rejects unsigned calls', async () => {
    const address = service.url + ENDPOINT;
    const requests = ['GET', 'POST', 'PUT'].map((method) => fetch(address, { method }));
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([401, 401, 401]);
    expect((await fetch(`${address}/probe-mars`)).status).toBe(404);
  });

  it('has its worker listen on WORKER_PORT', async () => {
    expect((await fetch(`http://127.0.0.1:${workerPort}${ENDPOINT}`)).status).toBe(401);
  });

  it('syncs at its one address, and checks when woken', async () => {
    expect(await inngest.sync(service.url + ENDPOINT)).toBe(200);
    await expect
      .poll(() => [...inngest.apps.values()].map(({ url }) => url).toSorted())
      .toEqual(
        ['', '/probe-ap-southeast', '/probe-eu-west', '/probe-us-east'].map(
          (app) => service.url + ENDPOINT + app,
        ),
      );
    const { apiKey } = await createOrganizationByCommand(service.dataDir);
    const api = createApiClient(service.url, apiKey);
    await api('POST', '/monitors', { name: 'Shop', url: target.url });
    await expect.poll(() => target.requestedAt.length).toBeGreaterThan(0);
    const failed = inngest.runs.filter(({ end }) => end !== null && end !== 'completed');
    expect(failed).toEqual([]);
  });
});
