import { DomainError } from '@/lib/core/errors';
import type { Services } from './services';

export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** Who asks: an API key, a signed-in person, or the operator at the command line. */
export type Actor =
  | { kind: 'key'; keyId: string; scope: 'read' | 'write' }
  | { kind: 'user'; userId: string; role: Role }
  | { kind: 'operator' };

/** What a verb on an organization's things is called with. */
export type OrganizationContext = Services & { organizationId: string; actor: Actor };

/** Refuses (FORBIDDEN) an actor that may only read. */
export function requireWrite({ actor }: Pick<OrganizationContext, 'actor'>): void {
  if (actor.kind === 'key' && actor.scope === 'read') {
    throw new DomainError('FORBIDDEN', 'This API key may only read; use one with the scope "write".');
  }
  if (actor.kind === 'user' && actor.role === 'viewer') {
    throw new DomainError(
      'FORBIDDEN',
      'Your role is viewer, which may only read; ask an admin for another role.',
    );
  }
}
