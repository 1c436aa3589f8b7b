import { DomainError } from '@/lib/core/errors';
import type { Actor, Role } from '@/lib/domain/context/organization-context';
import { permits, ROLES } from '@/lib/domain/context/permissions';
import { type OneTimeToken, withdrawn } from '@/lib/domain/people/one-time-links';
import type { Database, Transaction } from '@/lib/platform/db/client';

/** The roles that an actor may assign, remove and invite to: all for owners, all except owner for others. */
export function listAssignableRoles(actor: Actor): readonly Role[] {
  const isOwner = actor.kind === 'operator' || (actor.kind === 'user' && actor.role === 'owner');
  return isOwner ? ROLES : ROLES.filter((role) => role !== 'owner');
}

/** Throws FORBIDDEN if the actor may not assign or remove a role. API keys have admin permissions. */
export function requireAssignableRole(actor: Actor, role: Role): void {
  if (listAssignableRoles(actor).includes(role)) return;
  throw new DomainError('FORBIDDEN', 'Only an owner can add, change or remove owners.');
}

type Invitation = Pick<OneTimeToken, 'role' | 'createdBy' | 'createdByKey'> & { organizationId: string };

/**
 * Checks that the creator of an invitation may still invite to its role; the operator always may. Throws NOT_FOUND with a
 * message for the holder of the link.
 */
export async function requireAuthorityToInvite(
  tx: Transaction | Database,
  { role, ...invitation }: Invitation,
): Promise<void> {
  const actor = await readCreator(tx, invitation);
  const isAllowed =
    actor !== null &&
    permits({ actor }, 'invitation.create') &&
    (role === null || listAssignableRoles(actor).includes(role));
  if (!isAllowed) throw withdrawn();
}

/** The creator of a link with their current role; null if they are gone. */
async function readCreator(
  tx: Transaction | Database,
  { organizationId, createdBy: userId, createdByKey: keyId }: Omit<Invitation, 'role'>,
): Promise<Actor | null> {
  if (keyId !== null) {
    // An expired key was probably rotated; only revoking it withdraws its invitations.
    const key = await tx.apiKey.findFirst({ where: { id: keyId, organizationId, revokedAt: null } });
    return key && { kind: 'key', keyId, scope: key.scope };
  }
  if (userId === null) return { kind: 'operator' };
  const member = await tx.membership.findFirst({ where: { organizationId, userId } });
  return member && { kind: 'user', userId, role: member.role };
}
