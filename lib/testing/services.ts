import { randomBytes } from 'node:crypto';
import { createId } from '@/lib/core/ids';
import { createKeyring } from '@/lib/core/keyring';
import { type Clock, systemClock } from '@/lib/core/time/clock';
import { createApiKey } from '@/lib/domain/api-keys/change-api-keys';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { checkSecretKey } from '@/lib/domain/context/services';
import { insertOrganization, type NewOrganization } from '@/lib/domain/organizations/create-organization';
import { hashPassword } from '@/lib/domain/organizations/password';
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
    contact: 'https://pharos.test',
  };
}

/** Creates an organization like the product does; `ctx` acts as its first API key, with write scope. */
export async function createTestOrganization(
  services: Services,
  { plan = 'enterprise' }: { plan?: PlanId } = {},
): Promise<TestOrganization> {
  await checkSecretKey(services);
  const email = `owner-${randomBytes(6).toString('hex')}@example.com`;
  const input = { name: 'Test', plan, email, password: 'correct horse' };
  const { keyId, ...created } = await insertTestOrganization(services, input);
  const actor = { kind: 'key', keyId, scope: 'write' } as const;
  return { ...created, ctx: { ...services, organizationId: created.organizationId, actor } };
}

const hashes = new Map<string, Promise<string>>();

/** The hash of a password. It is meant to be slow, so a process calculates it once. */
function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

/** Creates an organization, its owner and its first API key, as `createOrganization` does for a new owner. */
export async function insertTestOrganization(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { name, plan, email, password }: { name: string; plan: PlanId; email: string; password: string },
): Promise<NewOrganization & { keyId: string }> {
  const now = clock.now();
  const passwordHash = await hashOnce(password);
  const [organizationId, userId] = [createId('organization'), createId('user')];
  return db.$transaction(async (tx) => {
    await tx.user.create({ data: { id: userId, email, passwordHash, createdAt: now, updatedAt: now } });
    await insertOrganization(tx, { id: organizationId, name, plan, userId, now });
    await tx.instance.updateMany({ where: { setUpAt: null }, data: { setUpAt: now } });
    const firstKey = { name: 'First key', scope: 'write', expiresAt: null } as const;
    const { id: keyId, key: apiKey } = await createApiKey(tx, { organizationId, now, ...firstKey });
    return { organizationId, userId, apiKey, keyId };
  });
}
