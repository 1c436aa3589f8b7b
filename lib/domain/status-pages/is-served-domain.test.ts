import { expect, it } from 'vitest';
import { joinTransaction } from '@/lib/platform/db/client';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { addPage } from './testing/pages';
import { isServedDomain, selectServedDomain } from './verify-custom-domain';

const database = useTestDatabase();

it('a domain is served if a published page has verified it, found by one index', async () => {
  const { db } = database;
  const { ctx } = await createTestOrganization(createTestServices({ db }));
  const make = async (customDomain: string, published: boolean, customDomainVerifiedAt: Date | null) => {
    const { id } = await addPage(ctx, { customDomain, published });
    await db.statusPage.update({ where: { id }, data: { customDomainVerifiedAt } });
  };
  const now = new Date();
  await make('served.acme.test', true, now);
  await make('pending.acme.test', true, null);
  await make('hidden.acme.test', false, now);
  const names = ['served.acme.test', 'pending.acme.test', 'hidden.acme.test', 'unknown.acme.test'];
  expect(await Promise.all(names.map((name) => isServedDomain({ db }, name)))).toEqual([
    true,
    false,
    false,
    false,
  ]);

  // With so few rows, a sequential scan would be faster.
  const { steps } = await db.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
    return explain(joinTransaction(tx), selectServedDomain('served.acme.test'));
  });
  expect(steps.map(({ index }) => index)).toContain('status_page_verified_domain');
});
