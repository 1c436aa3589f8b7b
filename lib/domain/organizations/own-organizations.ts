import { DomainError } from '@/lib/core/errors';
import type { Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';

/** One of a person's organizations. */
export type OwnOrganization = { id: string; name: string; role: Role };

/** The organizations that a person belongs to, by name. */
export async function listOwnOrganizations(
  { db }: Pick<Services, 'db'>,
  userId: string,
): Promise<OwnOrganization[]> {
  const rows = await db.membership.findMany({
    where: { userId },
    select: { role: true, organization: { select: { id: true, name: true } } },
    orderBy: [{ organization: { name: 'asc' } }, { organizationId: 'asc' }],
  });
  return rows.map(({ role, organization }) => ({ ...organization, role }));
}

/** Shows another of the person's organizations in this session from now on. Throws NOT_FOUND for one that is not theirs. */
export async function switchOrganization(
  { db }: Pick<Services, 'db'>,
  { sessionId, userId, organizationId }: { sessionId: string; userId: string; organizationId: string },
): Promise<void> {
  const memberships = await db.membership.count({ where: { userId, organizationId } });
  if (memberships === 0) throw new DomainError('NOT_FOUND', 'There is no such organization.');
  await db.session.updateMany({ where: { id: sessionId, userId }, data: { organizationId } });
}
