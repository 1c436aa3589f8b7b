import type { Role } from '@/lib/domain/context/organization-context';
import { permits, ROLES } from '@/lib/domain/context/permissions';
import type { Database, Transaction } from '@/lib/platform/db/client';
import { type OneTimeToken, withdrawn } from './one-time-token';

/**
 * Ends the links that were handed out for a membership or by it: call it in the transaction that changes the membership or
 * its role. Reset links for the person end wherever they were handed out, for they open the whole account; links that the
 * person handed out end where they did.
 */
export async function endHandedLinks(
  tx: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  await tx.oneTimeToken.deleteMany({
    where: {
      usedAt: null,
      organizationId: { not: null },
      OR: [
        { kind: 'password_reset', userId },
        { createdBy: userId, organizationId },
      ],
    },
  });
}

/**
 * Whether a role is enough to hand out a reset link for a member of another role: nobody opens an account above their
 * own.
 */
export function mayResetPassword(maker: Role, member: Role): boolean {
  return ROLES.indexOf(maker) >= ROLES.indexOf(member);
}

/**
 * Judges a reset link by what is true now, not when it was handed out: the person still belongs to the one organization
 * whose member made it, and that member may still do so. Throws NOT_FOUND, in words for who holds the link. A link that was
 * mailed to the person, or made by the operator, needs nobody's authority.
 */
export async function requireAuthorityToReset(
  tx: Transaction | Database,
  { organizationId, userId, createdBy }: Pick<OneTimeToken, 'organizationId' | 'userId' | 'createdBy'>,
): Promise<void> {
  if (organizationId === null) return;
  const memberships = await tx.membership.findMany({
    where: { OR: [{ userId: userId ?? '' }, { userId: createdBy ?? '', organizationId }] },
  });
  const ofPerson = memberships.filter((membership) => membership.userId === userId);
  const [own] = ofPerson;
  const maker = memberships.find((one) => one.userId === createdBy && one.organizationId === organizationId);
  const isAllowed =
    maker !== undefined &&
    ofPerson.length === 1 &&
    own?.organizationId === organizationId &&
    permits({ actor: { kind: 'user', userId: maker.userId, role: maker.role } }, 'member.reset-password') &&
    mayResetPassword(maker.role, own.role);
  if (!isAllowed) throw withdrawn();
}
