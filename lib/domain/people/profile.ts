import type { Services } from '@/lib/domain/context/services';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

/**
 * The membership that a row of `session` acts with, for a lateral join: in the chosen organization if the user still belongs to
 * it, otherwise in the one they joined first.
 */
export const chosenMembership = Prisma.sql`
  SELECT membership.organization_id, membership.role::text AS role, organization.name
    FROM membership JOIN organization ON organization.id = membership.organization_id
   WHERE membership.user_id = session.user_id
   ORDER BY (membership.organization_id = session.organization_id) IS TRUE DESC,
            membership.created_at, membership.organization_id
   LIMIT 1`;

/** A signed-in user, with or without organizations. */
export type Person = { sessionId: string; userId: string; email: string };

/** The user of a session; null if it has expired. */
export async function findPerson(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  sessionId: string,
): Promise<Person | null> {
  const session = await db.session.findFirst({
    where: { id: sessionId, expiresAt: { gt: clock.now() } },
    select: { userId: true, user: { select: { email: true } } },
  });
  return session && { sessionId, userId: session.userId, email: session.user.email };
}

/** Sets the display name of a user; null: screens show the email address. */
export async function renamePerson(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  userId: string,
  name: string | null,
): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { name, updatedAt: clock.now() } });
}

/** All users of this installation with their organizations, oldest first, for the operator. */
export async function listUsers(db: Database) {
  const users = await db.user.findMany({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: {
      id: true,
      email: true,
      name: true,
      createdAt: true,
      memberships: {
        orderBy: { createdAt: 'asc' },
        select: { role: true, organization: { select: { id: true, name: true } } },
      },
    },
  });
  return users.map(({ memberships, ...user }) => ({
    ...user,
    organizations: memberships.map(({ role, organization }) => ({ ...organization, role })),
  }));
}
