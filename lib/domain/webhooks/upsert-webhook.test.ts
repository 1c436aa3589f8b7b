import { expect, it } from 'vitest';
import { upsertBody } from '@/lib/schemas/bodies/upsert';
import { createWebhookSchema, updateWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createWebhook, deleteWebhook, updateWebhook } from './change-webhook';
import { getWebhookByRef, upsertWebhook } from './upsert-webhook';

const database = useSharedDatabase();
const url = 'https://hooks.example/';
const begin = async () => (await createTestOrganization(createTestServices({ db: database.db }))).ctx;
type Context = Awaited<ReturnType<typeof begin>>;

const bodyOf = (fields: object) =>
  upsertBody({ creation: createWebhookSchema, changes: updateWebhookSchema }, { url, ...fields });
const upsert = (ctx: Context, fields: object = {}) =>
  upsertWebhook(ctx, 'pager', bodyOf({ ref: 'pager', ...fields }));

it('one of several concurrent upserts creates the endpoint, with its secret, and the others change it', async () => {
  const ctx = await begin();
  const upserts = Array.from({ length: 10 }, (_, index) => upsert(ctx, { description: `Pager ${index}` }));
  const results = await Promise.all(upserts);
  const created = results.filter(({ isCreated }) => isCreated);
  expect(created).toHaveLength(1);
  expect(results.filter(({ resource }) => 'secret' in resource)).toEqual(created);
  expect(new Set(results.map(({ resource }) => resource.id)).size).toBe(1);
});

it('an upsert creates the endpoint again if it is deleted meanwhile', async () => {
  const ctx = await begin();
  for (let round = 0; round < 10; round++) {
    const { resource } = await upsert(ctx);
    const [{ resource: next }] = await Promise.all([
      upsert(ctx, { description: 'Phone' }),
      deleteWebhook(ctx, resource.id),
    ]);
    expect(next).toMatchObject({ ref: 'pager', description: 'Phone' });
  }
});

it('an endpoint never gets the ref of another, even at the same time', async () => {
  const ctx = await begin();
  const created = Array.from({ length: 4 }, () => createWebhook(ctx, createWebhookSchema.parse({ url })));
  const outcomes = (await Promise.all(created)).map(({ id }) =>
    updateWebhook(ctx, id, { ref: 'pager' }).then(
      ({ version }) => `version ${version}`,
      ({ code }: { code: string }) => code,
    ),
  );
  expect((await Promise.all(outcomes)).toSorted()).toEqual([
    'REF_TAKEN',
    'REF_TAKEN',
    'REF_TAKEN',
    'version 2',
  ]);
  expect(await getWebhookByRef(ctx, 'pager')).toMatchObject({ ref: 'pager' });
});
