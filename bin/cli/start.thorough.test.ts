import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '@/e2e/support/api-client';
import { checkNow } from '@/e2e/support/check-now';
import { createOrganizationByCommand, runPharos } from '@/e2e/support/run-pharos';
import { openServices } from '@/e2e/support/service-access';
import { type Service, startService } from '@/e2e/support/start-service';
import type { Services } from '@/lib/domain/context/services';
import { notify } from '@/lib/platform/db/listen';
import { createOpenFolder } from '@/lib/testing/open-folder';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { startTarget, type Target } from '@/lib/testing/target';
import { expectToStop, isRunning, pidsOf } from './testing/running-service';

let folder: string;
let dataDir: string;
let service: Service;
let api: ApiClient;
let apiKey: string;
let target: Target;
let receiver: Receiver;

beforeAll(async () => {
  folder = await createOpenFolder('pharos-start-');
  dataDir = join(folder, 'data');
  [target, receiver] = await Promise.all([startTarget(), startReceiver()]);
  await begin();
  ({ apiKey } = await createOrganizationByCommand(dataDir));
  api = createApiClient(service.url, apiKey);
});

afterAll(async () => {
  await service?.stop();
  await Promise.all([target?.close(), receiver?.close()]);
  await rm(folder, { recursive: true, force: true });
});

async function begin({ throughNpm = false } = {}): Promise<void> {
  service = await startService({ dataDir, throughNpm });
  api = createApiClient(service.url, apiKey);
}

/** Runs `act` on the database of the running service. */
async function onDatabase(act: (services: Services) => Promise<void>): Promise<void> {
  const { services, close } = await openServices(dataDir);
  await act(services).finally(close);
}

const statusOf = async (id: string) => (await api('GET', `/monitors/${id}`)).body.status;

describe('pharos start', () => {
  it('monitors a target: down and up reach the receiver, signed', async () => {
    const endpoint = await api('POST', '/webhooks', { url: `${receiver.url}/hook` });
    const url = target.url;
    const { body: monitor } = await api('POST', '/monitors', {
      name: 'Shop',
      url,
      interval: 30,
      alertThreshold: 1,
    });
    await expect.poll(() => statusOf(monitor.id)).toBe('operational');

    target.respondWith(503);
    await onDatabase(checkNow);
    const down = await receiver.waitFor(({ headers }) => headers['x-service-event'] === 'monitor.down');
    const created = await receiver.waitFor(
      ({ headers }) => headers['x-service-event'] === 'incident.created',
    );
    for (const { body, headers } of [down, created]) {
      const digest = createHmac('sha256', endpoint.body.secret).update(body).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${digest}`);
    }
    expect(JSON.parse(down.body)).toMatchObject({
      event: 'monitor.down',
      causedBy: null,
      monitor: { id: monitor.id, name: 'Shop', url, type: 'http' },
      incident: { severity: 'critical', status: 'investigating' },
      details: { consecutiveFailures: 1, errorMessage: 'responded with 503, expected 200', statusCode: 503 },
    });
    expect(await statusOf(monitor.id)).toBe('down');

    target.respondWith(200);
    await onDatabase(checkNow);
    await receiver.waitFor(({ headers }) => headers['x-service-event'] === 'monitor.up');
    await receiver.waitFor(({ headers }) => headers['x-service-event'] === 'incident.resolved');
  });

  it('stops everything on SIGTERM, and restarts with its data, without a build', async () => {
    const before = (await api('GET', '/monitors')).body;
    const pids = [service.pid, ...pidsOf(service, 'worker'), ...pidsOf(service, 'web')];
    await service.stop();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(join(dataDir, 'runtime.json')), 'PostgreSQL was stopped').toBe(false);

    await begin({ throughNpm: true });
    expect(service.logs()).not.toContain('Building');
    expect(service.setupUrl, 'setup is complete').not.toContain('token');
    const known = (await api('GET', '/monitors')).body.map((monitor: { id: string }) => monitor.id);
    expect(known).toEqual(before.map((monitor: { id: string }) => monitor.id));
  });

  it('stops everything on SIGTERM to npm, gets a new secret key while stopped, and decrypts earlier data', async () => {
    const headers = { Authorization: 'Bearer t0ken' };
    const { body } = await api('POST', '/monitors', { name: 'Sealed', url: target.url, headers });
    const rotate = () => runPharos(['secrets', 'rotate'], { DATA_DIR: dataDir });
    expect((await rotate()).stderr).toContain('another Pharos');
    await expectToStop(service, 'SIGTERM');
    const rotated = await rotate();
    expect(JSON.parse(rotated.stdout).resealed).toBeGreaterThan(0);
    expect(rotated.stderr).toMatch(/^monitor\.headers_sealed: \d+ of \d+$/m);
    await begin();
    expect((await api('GET', `/monitors/${body.id}`)).body).toMatchObject({ headers });
  });

  it('recovers from kill -9 of everything without losing history or deliveries', async () => {
    receiver.respondWith(500);
    target.respondWith(503);
    const { body: monitor } = await api('POST', '/monitors', {
      name: 'Promise',
      url: target.url,
      alertThreshold: 1,
      interval: 300,
    });
    const isPromised = ({ headers, body }: { headers: Record<string, unknown>; body: string }) =>
      headers['x-service-event'] === 'monitor.down' && body.includes(monitor.id);
    await receiver.waitFor(isPromised);
    receiver.respondWith(200);

    const others = [...pidsOf(service, 'worker').slice(-1), ...pidsOf(service, 'web').slice(-1)];
    process.kill(service.pid, 'SIGKILL');
    await expect.poll(() => others.filter(isRunning)).toEqual([]);
    await begin();

    expect(await statusOf(monitor.id)).toBe('down');
    // The first retry is due a minute after the first failure. Skip that minute.
    await onDatabase(async ({ db }) => {
      await db.$executeRaw`
        UPDATE delivery SET next_attempt_at = next_attempt_at - interval '1 minute' WHERE status = 'pending'`;
      await notify(db, 'pharos_deliveries');
    });
    await expect.poll(() => receiver.requests.filter(isPromised).length, { interval: 200 }).toBe(2);
    const attempts = receiver.requests.filter(isPromised);
    expect(new Set(attempts.map(({ headers }) => headers['x-service-delivery-id'])).size).toBe(1);
    expect(attempts.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
  });

  it('stops everything on SIGINT', () => expectToStop(service, 'SIGINT'));
});
