import type { OrganizationContext } from '@/lib/domain/context/organization-context';

/** The browsers in which a member is notified, oldest first. */
export async function listBrowsers(
  { db, clock, organizationId }: Pick<OrganizationContext, 'db' | 'clock' | 'organizationId'>,
  userId: string,
) {
  return db.pushSubscription.findMany({
    where: { organizationId, userId, session: isLive(clock.now()) },
    select: {
      id: true,
      sessionId: true,
      createdAt: true,
      lastUsedAt: true,
      session: { select: { userAgent: true } },
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** Sessions that have not expired. */
export const isLive = (now: Date) => ({ expiresAt: { gt: now } });
