import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { PlanId } from '@/lib/plans/catalogue';
import { HIDDEN } from '@/lib/schemas/hidden';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { CHATS, PRODUCT_FORMATS, PRODUCTS, serveProduct } from '@/lib/webhook-formats/testing/products';
import { createWebhook } from './change-webhook';
import { getWebhook } from './read-webhooks';
import { testChangedWebhook, testUnsavedWebhook } from './test-unsaved';

const database = useTestDatabase();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

async function begin(plan?: PlanId) {
  const { ctx } = await createTestOrganization(createTestServices({ db: database.db }), { plan });
  return ctx;
}

const test = (ctx: OrganizationContext, input: object) =>
  testUnsavedWebhook(ctx, createWebhookSchema.parse(input), { serviceName: 'Pharos' });

/** The rows of everything that a saved endpoint, or a test of it, leaves. */
async function countRows({ db, organizationId }: OrganizationContext) {
  const where = { where: { organizationId } };
  const counts = [db.webhookEndpoint, db.outboxEvent, db.delivery, db.auditEntry].map((table) =>
    // The tables have no common type.
    (table.count as (query: object) => Promise<number>)(where),
  );
  return Promise.all(counts);
}

it('sends a message as the channel would get it, without signature, and stores nothing of it', async () => {
  const ctx = await begin();
  const before = await countRows(ctx);
  receiver.respondWith(200, 'ok');
  const result = await test(ctx, { format: 'mattermost', url: `${receiver.url}/typed` });
  expect(result).toMatchObject({ statusCode: 200, error: null, responseBody: 'ok' });
  const { body, headers } = await receiver.waitFor(({ path }) => path === '/typed');
  expect(JSON.parse(body).attachments[0]).toMatchObject({ title: 'Test notification' });
  expect(headers['x-service-event']).toBe('webhook.test');
  expect(Object.keys(headers).filter((name) => name.includes('signature'))).toEqual([]);
  expect(await countRows(ctx)).toEqual(before);
});

it.each([...PRODUCT_FORMATS, 'discord'] as const)(
  'is accepted by %s with its credentials',
  async (format) => {
    const product = await serveProduct(format);
    const { credentials = {} } = { ...PRODUCTS, ...CHATS }[format].product;
    const url = product.endpoint;
    const result = await test(await begin(), { format, url, credentials: { ...credentials } });
    await product.close();
    expect(result).toMatchObject({ error: null });
  },
);

it('sends what a template writes, with its headers', async () => {
  await test(await begin(), {
    format: 'custom',
    url: `${receiver.url}/custom`,
    template: '{"text": {{ event | json }}}',
    headers: { Authorization: 'Bearer 0123456789' },
  });
  const { body, headers } = await receiver.waitFor(({ path }) => path === '/custom');
  expect(body).toBe('{"text": "webhook.test"}');
  expect(headers.authorization).toBe('Bearer 0123456789');
});

describe('changes that are not saved', () => {
  const sent = (path: string) => receiver.waitFor((request) => request.path === path);

  it('are tested with the stored secrets that they keep, signed, and are not stored', async () => {
    const ctx = await begin();
    const template = '{"text": {{ event | json }}}';
    const headers = { Authorization: 'Bearer 0123456789' };
    const input = createWebhookSchema.parse({
      format: 'custom',
      url: `${receiver.url}/now`,
      template,
      headers,
    });
    const { id, secret } = await createWebhook(ctx, input);
    const before = await countRows(ctx);
    const kept = { url: `${receiver.url}/changed`, headers: { Authorization: HIDDEN } };
    expect(await testChangedWebhook(ctx, id, kept, { serviceName: 'Pharos' })).toMatchObject({ error: null });
    const { body, headers: got } = await sent('/changed');
    expect(got).toMatchObject({ authorization: 'Bearer 0123456789', 'x-service-event': 'webhook.test' });
    expect(got['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    );
    expect(await countRows(ctx)).toEqual(before);
    expect((await getWebhook(ctx, id)).url).toContain('/now');
  });

  it('do not send a stored secret to another host', async () => {
    const ctx = await begin();
    const input = { format: 'pagerduty', url: receiver.url, credentials: { routingKey: 'routing-key-1' } };
    const { id } = await createWebhook(ctx, createWebhookSchema.parse(input));
    const elsewhere = { url: 'http://127.0.0.2:9/', credentials: { routingKey: HIDDEN } };
    await expect(testChangedWebhook(ctx, id, elsewhere, { serviceName: 'Pharos' })).rejects.toMatchObject({
      details: [{ path: 'credentials.routingKey', code: 'origin_changed' }],
    });
  });

  it('are refused for the endpoint of another organization', async () => {
    const { id } = await createWebhook(await begin(), createWebhookSchema.parse({ url: receiver.url }));
    const tested = testChangedWebhook(await begin(), id, {}, { serviceName: 'Pharos' });
    await expect(tested).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('returns why it was not delivered, without the credentials that a receiver repeats', async () => {
  receiver.respondWith(403, 'no such token: routing-key-1');
  const result = await test(await begin(), {
    format: 'pagerduty',
    url: receiver.url,
    credentials: { routingKey: 'routing-key-1' },
  });
  receiver.respondWith(200);
  expect(result).toMatchObject({
    statusCode: 403,
    error: 'responded with 403, expected 2xx',
    responseBody: 'no such token: [hidden]',
  });
});

it('refuses what creating refuses, and sends nothing then', async () => {
  const count = receiver.requests.length;
  const url = receiver.url;
  const ctx = await begin('free');
  const blocked = { ...ctx, targetPolicy: { mode: 'public' as const, allowedCidrs: [] } };
  await expect(test(blocked, { url })).rejects.toMatchObject({ code: 'BLOCKED_TARGET' });
  const viewer = { ...ctx, actor: { kind: 'user' as const, userId: 'usr_1', role: 'viewer' as const } };
  await expect(test(viewer, { url })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const broken = { url, format: 'custom', template: '{"text": "{{ monitor.name }}"}' };
  await expect(test(ctx, broken)).rejects.toMatchObject({ details: [{ path: 'template' }] });
  for (let i = 0; i < 3; i++) await createWebhook(ctx, createWebhookSchema.parse({ url }));
  await expect(test(ctx, { url })).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED' });
  expect(receiver.requests).toHaveLength(count);
});

it('runs at most three of an organization at a time', async () => {
  const ctx = await begin();
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => test(ctx, { url: receiver.url })));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(2);
  expect(refused).toMatchObject([{ reason: { code: 'RATE_LIMITED', retryAfter: 5 } }, {}]);
  await expect(test(ctx, { url: receiver.url })).resolves.toMatchObject({ error: null });
});
