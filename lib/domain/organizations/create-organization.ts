import { DomainError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { createApiKey } from '@/lib/domain/api-keys/create-api-key';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import type { CreateOrganization } from '@/lib/schemas/organization';
import { hashPassword, verifyPassword } from './password';

/** What a new organization's owner needs; the key is in clear text here and nowhere else. */
export type NewOrganization = { organizationId: string; userId: string; apiKey: string };

/** Serializes whatever decides on "is there an organization yet?". */
const SET_UP_LOCK = 7274268;

/**
 * Makes an organization, its owner and a first API key with write scope, and closes the set-up page. An address that
 * has a user already becomes owner of this one as well, if the password is right; else CONFLICT. `allowed` runs under
 * the set-up lock and can refuse by throwing.
 */
export async function createOrganization(
  services: Services,
  input: CreateOrganization,
  allowed: (tx: Transaction) => Promise<void> = async () => undefined,
): Promise<NewOrganization> {
  const now = services.clock.now();
  const passwordHash = await hashPassword(input.password);
  const organizationId = createId('organization');
  return services.db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SET_UP_LOCK})`;
    await allowed(tx);
    const userId = await findOrCreateOwner(tx, input, passwordHash, now);
    await tx.organization.create({
      data: {
        id: organizationId,
        name: input.name,
        plan: input.plan,
        createdAt: now,
        updatedAt: now,
        memberships: { create: { userId, role: 'owner', createdAt: now } },
      },
    });
    await tx.instance.updateMany({ where: { setUpAt: null }, data: { setUpAt: now } });
    const { key } = await createApiKey(tx, {
      organizationId,
      now,
      name: 'First key',
      scope: 'write',
      expiresAt: null,
    });
    return { organizationId, userId, apiKey: key };
  });
}

async function findOrCreateOwner(
  tx: Transaction,
  { email, password }: CreateOrganization,
  passwordHash: string,
  now: Date,
): Promise<string> {
  const known = await tx.user.findUnique({ where: { email } });
  if (known === null) {
    const id = createId('user');
    await tx.user.create({ data: { id, email, passwordHash, createdAt: now, updatedAt: now } });
    return id;
  }
  if (await verifyPassword(known.passwordHash, password)) return known.id;
  throw new DomainError('CONFLICT', 'This e-mail address has a user already, with another password.', [
    { path: 'email', code: 'taken', message: 'belongs to a user with another password' },
  ]);
}
