import { expect, it } from 'vitest';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { resolveRef } from './resolve-ref';

const database = useSharedDatabase();
const begin = async () => (await createTestOrganization(createTestServices({ db: database.db }))).ctx;

it('ref:… in a path is the ID of what has the ref in the organization of the key, and NOT_FOUND elsewhere', async () => {
  const [ctx, stranger] = [await begin(), await begin()];
  const url = 'https://shop.example/';
  const monitor = await createMonitor(ctx, createMonitorSchema.parse({ name: 'Shop', url, ref: 'ref:shop' }));
  const webhook = await createWebhook(ctx, createWebhookSchema.parse({ url, ref: 'ref:shop' }));
  const resolve = async (path: string, id: string, caller = ctx) =>
    (await resolveRef({ ctx: caller, pathname: path, params: { id, correctionId: 'cor_1' } })).params;
  const sought = 'ref:ref:shop';
  expect(await resolve('/api/monitors/x/check', sought)).toEqual({ id: monitor.id, correctionId: 'cor_1' });
  expect((await resolve('/api/webhooks/x', sought)).id).toBe(webhook.id);
  for (const [path, id, caller] of [
    ['/api/monitors/x', sought, stranger],
    ['/api/webhooks/x', sought, stranger],
    ['/api/monitors/x', 'ref:', ctx],
  ] as const) {
    await expect(resolve(path, id, caller)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  expect((await resolve('/api/monitors/x', monitor.id, stranger)).id).toBe(monitor.id);
  expect((await resolve('/api/incidents/x', sought)).id).toBe(sought);
});
