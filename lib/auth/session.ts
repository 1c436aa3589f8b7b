import 'server-only';
import { getServerSession } from 'next-auth';
import type { OrganizationContext } from '@/lib/context/organization-context';
import type { Services } from '@/lib/context/services';
import { createAuthOptions } from './options';

/** A signed-in person in one of their organizations. */
export type Session = { ctx: OrganizationContext; email: string; organizationName: string };

/**
 * Who asks, or null. The cookie only names the person: person, membership and role are read from the database at every
 * request, so that a removal counts at once.
 */
export async function readSession(
  services: Services,
  options: { isSecure: boolean },
): Promise<Session | null> {
  const session = await getServerSession(createAuthOptions(services, options));
  const email = session?.user?.email;
  if (!email) return null;
  const membership = await services.db.membership.findFirst({
    where: { user: { email } },
    include: { user: { select: { id: true } }, organization: { select: { name: true } } },
    orderBy: { createdAt: 'asc' },
  });
  if (membership === null) return null;
  const { organizationId, role, user, organization } = membership;
  const ctx = { ...services, organizationId, actor: { kind: 'user' as const, userId: user.id, role } };
  return { ctx, email, organizationName: organization.name };
}
