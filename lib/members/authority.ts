import type { Actor, Role } from '@/lib/context/organization-context';
import { ROLES } from '@/lib/context/permissions';
import { DomainError } from '@/lib/core/errors';

/** The roles that an actor may give, take away and invite to: all for an owner, all but owner for who else manages members. */
export function rolesInReach(actor: Actor): readonly Role[] {
  const isOwner = actor.kind === 'operator' || (actor.kind === 'user' && actor.role === 'owner');
  return isOwner ? ROLES : ROLES.filter((role) => role !== 'owner');
}

/** Refuses (FORBIDDEN) to give or take a role that is not the actor's to give. An API key may what an admin may. */
export function requireReach(actor: Actor, role: Role): void {
  if (rolesInReach(actor).includes(role)) return;
  throw new DomainError('FORBIDDEN', 'Only an owner makes, changes or removes an owner.');
}
