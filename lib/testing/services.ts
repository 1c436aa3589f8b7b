import { randomBytes } from 'node:crypto';
import { createKeyring } from '@/lib/core/keyring';
import { type Clock, systemClock } from '@/lib/core/time/clock';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { checkSecretKey } from '@/lib/domain/context/services';
import { createOrganization, type NewOrganization } from '@/lib/domain/organizations/create-organization';
import type { PlanId } from '@/lib/plans/catalogue';
import type { Database } from '@/lib/platform/db/client';

/** The SECRET_KEY of `createTestServices`. */
export const TEST_SECRET_KEY = 'test secret key '.repeat(4);

/** An organization, its owner, its first API key in plain text, and the context to act on its behalf. */
export type TestOrganization = NewOrganization & { ctx: OrganizationContext };

/** Services on `db` for tests: targets on this machine are allowed; email is off unless `mail` is true. */
export function createTestServices({
  db,
  clock = systemClock,
  mail = false,
}: {
  db: Database;
  clock?: Clock;
  mail?: boolean;
}): Services {
  return {
    db,
    clock,
    keyring: createKeyring(TEST_SECRET_KEY),
    targetPolicy: { mode: 'private', allowedCidrs: [] },
    mail: { isOn: mail },
    sessions: { lifetimeMs: 30 * 86_400_000, idleMs: 14 * 86_400_000 },
    appUrl: null,
  };
}

/** Creates an organization like the product does; `ctx` acts as its first API key, with write scope. */
export async function createTestOrganization(
  services: Services,
  { plan = 'enterprise' }: { plan?: PlanId } = {},
): Promise<TestOrganization> {
  await checkSecretKey(services);
  const email = `owner-${randomBytes(6).toString('hex')}@example.com`;
  const created = await createOrganization(services, {
    name: 'Test',
    plan,
    email,
    password: 'correct horse',
  });
  const { id: keyId } = await services.db.apiKey.findFirstOrThrow({
    where: { organizationId: created.organizationId },
    select: { id: true },
  });
  const actor = { kind: 'key', keyId, scope: 'write' } as const;
  return { ...created, ctx: { ...services, organizationId: created.organizationId, actor } };
}
