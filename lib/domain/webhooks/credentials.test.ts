import { expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import { createWebhookSchema, updateWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createWebhook, updateWebhook } from './change-webhook';
import { openCredentials } from './credentials';
import { getWebhook } from './read-webhooks';

const database = useTestDatabase();
const OWN_URL = 'https://events.pagerduty.com/v2/enqueue';
const HIDDEN = { routingKey: '[hidden]' };
const KEY = { routingKey: 'routing-key-1' };

async function begin(fields: object = { format: 'pagerduty', credentials: KEY }) {
  const { ctx } = await createTestOrganization(createTestServices({ db: database.db }));
  const { id } = await createWebhook(ctx, createWebhookSchema.parse(fields));
  return {
    ctx,
    id,
    change: (body: object) => updateWebhook(ctx, id, updateWebhookSchema.parse(body)),
    /** Why a change is refused, as `field: code`. */
    refusal: async (body: object): Promise<string[]> => {
      const error: unknown = await updateWebhook(ctx, id, updateWebhookSchema.parse(body)).catch(
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof DomainError)) throw new Error('not refused');
      return (error.details ?? []).map(({ path, code }) => `${path}: ${code}`);
    },
    stored: async () => {
      const row = await database.db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
      return openCredentials(ctx.keyring, id, row.credentialsSealed);
    },
  };
}

it('credentials are stored encrypted for their endpoint, and never returned', async () => {
  const { ctx, id, stored } = await begin();
  expect(await getWebhook(ctx, id)).toMatchObject({ url: OWN_URL, credentials: HIDDEN });
  const { credentialsSealed } = await database.db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
  expect(Buffer.from(credentialsSealed ?? []).toString('latin1')).not.toContain(KEY.routingKey);
  expect(() => openCredentials(ctx.keyring, 'whk_other', credentialsSealed)).toThrow();
  expect(await stored()).toEqual(KEY);
});

it('a change without them, or with hidden ones, keeps them; what was fetched can be sent back', async () => {
  const { ctx, id, change, stored } = await begin();
  expect(await change({ description: 'Pager' })).toMatchObject({ credentials: HIDDEN, version: 2 });
  expect(await change({ credentials: HIDDEN })).toMatchObject({ version: 2 });
  expect(await change(await getWebhook(ctx, id))).toMatchObject({ version: 2, credentials: HIDDEN });
  expect(await stored()).toEqual(KEY);
});

it('new ones replace them, which counts as a version', async () => {
  const { change, stored } = await begin();
  const credentials = { routingKey: 'another-key' };
  expect(await change({ credentials })).toMatchObject({ credentials: HIDDEN, version: 2 });
  expect(await stored()).toEqual(credentials);
});

it('they are not kept for another host, which would reveal them', async () => {
  const { change, refusal, stored } = await begin();
  const url = 'https://evil.example/v2/enqueue';
  expect(await refusal({ url })).toEqual(['credentials: origin_changed']);
  expect(await refusal({ url, credentials: HIDDEN })).toEqual(['credentials.routingKey: origin_changed']);
  expect(await change({ url: 'https://events.pagerduty.com/v2/other' })).toMatchObject({
    credentials: HIDDEN,
  });
  expect(await change({ url, credentials: { routingKey: 'another-key' } })).toMatchObject({ url });
  expect(await stored()).toEqual({ routingKey: 'another-key' });
  expect(await change({ url: null, credentials: KEY })).toMatchObject({ url: OWN_URL });
});

it('another format has credentials and an address of its own', async () => {
  const { change, refusal, stored } = await begin({ url: 'https://hooks.example.com/a' });
  expect(await refusal({ format: 'pagerduty' })).toEqual(['credentials.routingKey: custom']);
  expect(await refusal({ format: 'pagerduty', credentials: HIDDEN })).toEqual([
    'credentials.routingKey: nothing_stored',
  ]);
  expect(await refusal({ credentials: KEY })).toEqual(['credentials.routingKey: custom']);
  expect(await change({ format: 'pagerduty', credentials: KEY })).toMatchObject({ url: OWN_URL });
  expect(await refusal({ format: 'slack' })).toEqual(['url: custom']);
  expect(await refusal({ credentials: null })).toEqual(['credentials.routingKey: custom']);
  const slack = await change({ format: 'slack', url: 'https://hooks.example.com/b' });
  expect(slack).toMatchObject({ url: 'https://hooks.example.com/b', credentials: {} });
  expect(await stored()).toEqual({});
});
