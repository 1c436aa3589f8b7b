import 'server-only';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { findSession } from '@/lib/domain/people/find-session';
import type { Visitor } from '@/lib/domain/people/visitor';
import { openSession } from './session-cookie';

/** A signed-in person in one of their organizations. */
export type Session = {
  /** Of the row in `session`; `session.organization_id` is what the person chose in this browser. */
  id: string;
  ctx: OrganizationContext;
  userId: string;
  email: string;
  /** What the person is called; null: nothing but the address is known. */
  name: string | null;
  organizationName: string;
};

/**
 * Who asks, or null. The cookie only names a session: it, the person, membership and role are read from the database at
 * every request, so that what was ended or changed counts at once.
 */
export async function readSession(
  services: Services,
  { cookie, visitor }: { cookie: string | undefined; visitor: Visitor },
): Promise<Session | null> {
  const sessionId = await openSession(services, cookie);
  const found = sessionId === null ? null : await findSession(services, sessionId, visitor);
  if (found === null) return null;
  const { id, userId, email, name, organizationId, organizationName, role } = found;
  const actor = { kind: 'user' as const, userId, role };
  const ctx = { ...services, organizationId, actor, address: visitor.address };
  return { id, ctx, userId, email, name, organizationName };
}
