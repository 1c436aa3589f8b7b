import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createApiClient } from '@/e2e/support/api-client';
import { createOrganizationByCommand } from '@/e2e/support/run-pharos';
import { startService } from '@/e2e/support/start-service';
import { listenLocally } from '@/lib/testing/http-listener';
import { createOpenFolder } from '@/lib/testing/open-folder';
import { startTarget } from '@/lib/testing/target';
import { listServing, signalTree } from './testing/process-tree';
import { beginService } from './testing/starting-service';

/** Longer than PostgreSQL takes to end. */
const RESPONDS_AFTER_MS = 1500;

/** A receiver that takes its time. `received` has the IDs of deliveries, as they arrive. */
async function startSlowReceiver() {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    received.push(String(request.headers['x-service-delivery-id']));
    setTimeout(() => response.end(), RESPONDS_AFTER_MS);
  });
  return { ...(await listenLocally(server)), received };
}

it('SIGTERM to every process at once, PostgreSQL included, loses nothing: what is on its way is recorded, and the database is shut down last', async () => {
  const folder = await createOpenFolder('pharos-at-once-');
  const dataDir = join(folder, 'data');
  const [target, receiver] = await Promise.all([startTarget(), startSlowReceiver()]);
  onTestFinished(async () => {
    await Promise.all([target.close(), receiver.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  const service = await beginService(dataDir);
  await service.reaches(/ready at/);
  const { apiKey } = await createOrganizationByCommand(dataDir);
  const url = /ready at (http:\/\/[^/\s]+)/.exec(service.output())?.[1] ?? '';
  const api = createApiClient(url, apiKey);
  const { body: endpoint } = await api('POST', '/webhooks', { url: receiver.url });
  target.respondWith(503);
  await api('POST', '/monitors', { name: 'Shop', url: target.url, alertThreshold: 1 });
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);

  const tree = signalTree(service.pid, 'SIGTERM');
  expect(tree.filter(({ command }) => /\/postgres -D/.test(command))).toHaveLength(1);
  expect(await service.ended, service.output()).toBe(0);
  expect(listServing(dataDir)).toEqual([]);
  expect(service.output()).not.toContain('a process exited unexpectedly');
  const serverLog = () => readFileSync(join(dataDir, 'postgres.log'), 'utf8');
  expect(serverLog().trimEnd()).toMatch(/database system is shut down$/);

  const next = await startService({ dataDir });
  onTestFinished(next.stop);
  expect(serverLog()).not.toMatch(/was interrupted|not properly shut down/);
  const log = async () =>
    (await createApiClient(next.url, apiKey)('GET', `/webhooks/${endpoint.id}/deliveries`)).body;
  await expect
    .poll(async () => (await log()).map(({ status }: { status: string }) => status))
    .not.toContain('pending');
  const deliveries: { id: string; status: string; attempts: unknown[] }[] = await log();
  expect(deliveries.map(({ status }) => status)).toEqual(deliveries.map(() => 'delivered'));
  expect(receiver.received.toSorted(), 'each once').toEqual(deliveries.map(({ id }) => id).toSorted());
});
