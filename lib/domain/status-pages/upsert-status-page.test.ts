import { expect, it } from 'vitest';
import { upsertBody } from '@/lib/schemas/bodies/upsert';
import { createStatusPageSchema, updateStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { deleteStatusPage } from './change-status-page';
import { upsertStatusPage } from './upsert-status-page';

const database = useSharedDatabase();
const settings = { appUrl: undefined, needsProof: true, dnsServers: [], knowsAddresses: true };
const begin = async () => (await createTestOrganization(createTestServices({ db: database.db }))).ctx;
type Context = Awaited<ReturnType<typeof begin>>;

function upsert(ctx: Context, slug: string, fields: object = {}) {
  const sent = { name: 'Acme', monitors: [], slug, ...fields };
  const body = upsertBody({ creation: createStatusPageSchema, changes: updateStatusPageSchema }, sent);
  return upsertStatusPage(ctx, slug, body, settings);
}

it('one of several concurrent upserts creates the page, and the others change it', async () => {
  const ctx = await begin();
  const upserts = Array.from({ length: 8 }, (_, index) => upsert(ctx, 'acme', { name: `Acme ${index}` }));
  const results = await Promise.all(upserts);
  expect(results.filter(({ isCreated }) => isCreated)).toHaveLength(1);
  expect(new Set(results.map(({ resource }) => resource.id)).size).toBe(1);
});

it('one of several organizations gets a slug, and the others SLUG_TAKEN', async () => {
  const organizations = await Promise.all(Array.from({ length: 4 }, begin));
  const upserts = organizations.map((ctx) =>
    upsert(ctx, 'wanted').then(
      () => 'created',
      ({ code }: { code: string }) => code,
    ),
  );
  expect((await Promise.all(upserts)).toSorted()).toEqual([
    'SLUG_TAKEN',
    'SLUG_TAKEN',
    'SLUG_TAKEN',
    'created',
  ]);
});

it('an upsert creates the page again if it is deleted meanwhile', async () => {
  const ctx = await begin();
  for (let round = 0; round < 10; round++) {
    await upsert(ctx, 'again');
    const [{ resource }] = await Promise.all([
      upsert(ctx, 'again', { name: 'Emca' }),
      deleteStatusPage(ctx, 'again').catch(() => null),
    ]);
    expect(resource.name).toBe('Emca');
  }
});
