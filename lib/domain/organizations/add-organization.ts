import { DomainError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Services } from '@/lib/domain/context/services';
import type { PlanId } from '@/lib/plans/catalogue';
import type { OrganizationName } from '@/lib/schemas/organization';

/** Enough for who looks after several teams; where strangers can sign up, each could else have a free plan without end. */
const MOST_OWNED = 10;

/**
 * Makes another organization for a person who has an account already, and them its owner. Unlike the first one of an
 * installation it begins without an API key. Throws CONFLICT for who owns ten already.
 */
export async function addOrganization(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  {
    userId,
    name,
    plan,
    address = null,
  }: OrganizationName & { userId: string; plan: PlanId; address?: string | null },
): Promise<{ organizationId: string }> {
  const now = clock.now();
  const id = createId('organization');
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM "user" WHERE id = ${userId} FOR NO KEY UPDATE`;
    const owned = await tx.membership.count({ where: { userId, role: 'owner' } });
    if (owned >= MOST_OWNED) {
      throw new DomainError(
        'CONFLICT',
        `You own ${MOST_OWNED} organizations already, and more are not possible.`,
      );
    }
    await tx.organization.create({
      data: {
        id,
        name,
        plan,
        createdAt: now,
        updatedAt: now,
        memberships: { create: { userId, role: 'owner', createdAt: now } },
      },
    });
    const ctx = {
      organizationId: id,
      actor: { kind: 'user', userId, role: 'owner' } as const,
      clock,
      address,
    };
    const subject = { id, label: name };
    await recordAudit(tx, ctx, { action: 'organization.create', subject, after: { name, plan } });
  });
  return { organizationId: id };
}
