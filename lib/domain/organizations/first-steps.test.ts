import { expect, it } from 'vitest';
import { isAnyoneNotified } from '@/lib/domain/listeners/read-audience';
import { inviteMember } from '@/lib/domain/members/invitations';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { createWebhook, deleteWebhook } from '@/lib/domain/webhooks/change-webhook';
import { testUnsavedWebhook } from '@/lib/domain/webhooks/test-unsaved';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { startReceiver } from '@/lib/testing/receiver';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { dismissFirstSteps, FIRST_STEPS, readFirstSteps } from './first-steps';

const database = useTestDatabase();

async function begin() {
  const { ctx, organizationId } = await createTestOrganization(createTestServices({ db: database.db }));
  const done = async () => {
    const steps = await readFirstSteps(ctx, { isAnyoneNotified: await isAnyoneNotified(ctx) });
    return steps && FIRST_STEPS.filter((step) => steps[step]);
  };
  return { ctx, organizationId, done };
}

it('are done by what is there, and never return once all were', async () => {
  const { ctx, done } = await begin();
  const receiver = await startReceiver();
  const input = createWebhookSchema.parse({ url: receiver.url });
  expect(await done()).toEqual([]);
  await testUnsavedWebhook(ctx, input, { serviceName: 'Pharos' });
  expect(await done(), 'a test of a channel that was not saved').toEqual([]);
  const { id } = await createWebhook(ctx, input);
  expect(await done()).toEqual(['channel', 'test']);
  await createMonitor(ctx, createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/' }));
  await addPage(ctx);
  expect(await done()).toEqual(['monitor', 'channel', 'test', 'page']);
  await inviteMember(ctx, { email: 'grace@example.com', role: 'member' }, { baseUrl: 'http://pharos.test' });
  expect(await done()).toBeNull();
  await deleteWebhook(ctx, id);
  expect(await done()).toBeNull();
  await receiver.close();
});

it('a test that failed is none', async () => {
  const { ctx, done } = await begin();
  const receiver = await startReceiver();
  receiver.respondWith(500);
  const input = createWebhookSchema.parse({ url: receiver.url });
  await testUnsavedWebhook(ctx, input, { serviceName: 'Pharos' });
  await createWebhook(ctx, input);
  expect(await done()).toEqual(['channel']);
  await receiver.close();
});

it('are dismissed for the whole organization, and for no other', async () => {
  const [{ ctx, organizationId, done }, other] = [await begin(), await begin()];
  await dismissFirstSteps({ ...ctx, actor: { kind: 'operator' } });
  expect(await done()).toBeNull();
  expect(await other.done()).toEqual([]);
  expect(organizationId).not.toBe(other.organizationId);
});
