import { expect, it, onTestFinished } from 'vitest';
import { createApiClient } from '@/e2e/support/api-client';
import { startService } from '@/e2e/support/start-service';
import { createOrganization } from '@/lib/domain/organizations/create-organization';
import { hasPooler, startPooler } from '@/lib/platform/db/testing/pooler';
import { useTestDatabase } from '@/lib/testing/database';
import { startReceiver } from '@/lib/testing/receiver';
import { createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { startTarget } from '@/lib/testing/target';

const database = useTestDatabase();

it.skipIf(!hasPooler)(
  'a service behind PgBouncer checks, notifies and responds (skipped where it is not installed)',
  async () => {
    const [pooler, target, receiver] = await Promise.all([
      startPooler(database.url, { sessions: 4 }),
      startTarget(),
      startReceiver(),
    ]);
    onTestFinished(async () => {
      await Promise.all([target.close(), receiver.close(), pooler.stop()]);
    });
    const service = await startService({
      env: {
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: database.url,
        SECRET_KEY: TEST_SECRET_KEY,
        PROBE_REGIONS: 'us-east',
        LOG_LEVEL: 'warn',
      },
    });
    onTestFinished(service.stop);
    const owner = { email: 'owner@example.com', password: 'correct horse battery' };
    const input = { name: 'Acme', plan: 'enterprise', ...owner } as const;
    const { apiKey } = await createOrganization(createTestServices({ db: database.db }), input);
    const api = createApiClient(service.url, apiKey);
    await api('POST', '/webhooks', { url: receiver.url });
    target.respondWith(503);
    const monitor = { name: 'Shop', url: target.url, regions: ['us-east'], alertThreshold: 1 };
    const { id } = (await api('POST', '/monitors', monitor)).body;
    const down = await receiver.waitFor(({ headers }) => headers['x-service-event'] === 'monitor.down');
    expect(JSON.parse(down.body)).toMatchObject({ monitor: { id } });

    const reads = Array.from({ length: 40 }, () => api('GET', `/monitors/${id}`));
    for (const { status, body } of await Promise.all(reads)) {
      expect([status, body.status]).toEqual([200, 'down']);
    }
    expect(service.logs()).not.toMatch(/"level":(50|60)/);
  },
);
