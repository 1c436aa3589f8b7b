import type { Services } from './services';

export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** Who asks: an API key, a signed-in person, or the operator at the command line. */
export type Actor =
  | { kind: 'key'; keyId: string; scope: 'read' | 'write' }
  | { kind: 'user'; userId: string; role: Role }
  | { kind: 'operator' };

/** What a verb on an organization's things is called with. */
export type OrganizationContext = Services & {
  organizationId: string;
  actor: Actor;
  /** Where the request came from, for the audit log; none at the command line. */
  address?: string | null;
};
