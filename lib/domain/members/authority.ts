import { DomainError } from '@/lib/core/errors';
import type { Actor, Role } from '@/lib/domain/context/organization-context';
import { permits, ROLES } from '@/lib/domain/context/permissions';
import { type OneTimeToken, withdrawn } from '@/lib/domain/people/one-time-links';
import type { Database, Transaction } from '@/lib/platform/db/client';

/**
 * The roles that an actor may give, take away and invite to: all for an owner, all but owner for who else manages
 * members.
 */
export function listAssignableRoles(actor: Actor): readonly Role[] {
  const isOwner = actor.kind === 'operator' || (actor.kind === 'user' && actor.role === 'owner');
  return isOwner ? ROLES : ROLES.filter((role) => role !== 'owner');
}

/** Refuses (FORBIDDEN) to give or take a role that is not the actor's to give. An API key may what an admin may. */
export function requireAssignableRole(actor: Actor, role: Role): void {
  if (listAssignableRoles(actor).includes(role)) return;
  throw new DomainError('FORBIDDEN', 'Only an owner makes, changes or removes an owner.');
}

type Invitation = Pick<OneTimeToken, 'role' | 'createdBy' | 'createdByKey'> & { organizationId: string };

/**
 * Judges an invitation by what is true now: who created it may still invite to this role. Throws NOT_FOUND, in words for
 * who holds the link. The operator's needs nobody's authority.
 */
export async function requireAuthorityToInvite(
  tx: Transaction | Database,
  { role, ...made }: Invitation,
): Promise<void> {
  const actor = await readMaker(tx, made);
  const isAllowed =
    actor !== null &&
    permits({ actor }, 'invitation.create') &&
    (role === null || listAssignableRoles(actor).includes(role));
  if (!isAllowed) throw withdrawn();
}

/** Who created a link, as they are now; null: they are not there any more. */
async function readMaker(
  tx: Transaction | Database,
  { organizationId, createdBy: userId, createdByKey: keyId }: Omit<Invitation, 'role'>,
): Promise<Actor | null> {
  if (keyId !== null) {
    // One that has expired was rotated, most likely; only revoking it takes its authority back.
    const key = await tx.apiKey.findFirst({ where: { id: keyId, organizationId, revokedAt: null } });
    return key && { kind: 'key', keyId, scope: key.scope };
  }
  if (userId === null) return { kind: 'operator' };
  const member = await tx.membership.findFirst({ where: { organizationId, userId } });
  return member && { kind: 'user', userId, role: member.role };
}
