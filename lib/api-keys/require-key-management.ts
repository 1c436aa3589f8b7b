import { type OrganizationContext, requireWrite } from '@/lib/context/organization-context';
import { DomainError } from '@/lib/core/errors';

/** Refuses (FORBIDDEN) those who may not make or end keys: read keys, viewers and members. */
export function requireKeyManagement(ctx: Pick<OrganizationContext, 'actor'>): void {
  requireWrite(ctx);
  const { actor } = ctx;
  if (actor.kind === 'user' && actor.role === 'member') {
    throw new DomainError('FORBIDDEN', 'Only owners and admins manage API keys; ask one of them.');
  }
}
