import { isRecentFactor } from '@/lib/domain/context/recent-factor';
import type { Services } from '@/lib/domain/context/services';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { hasSecondFactor, requiresSecondFactor } from './second-factor/has-second-factor';

/**
 * The membership that a row of `session` acts with, for a lateral join: in the chosen organization if the user still belongs to
 * it, otherwise in the one they joined first.
 */
export const chosenMembership = Prisma.sql`
  SELECT membership.organization_id, membership.role::text AS role, organization.name, organization.plan::text AS plan,
         organization.second_factor_from
    FROM membership JOIN organization ON organization.id = membership.organization_id
   WHERE membership.user_id = session.user_id
   ORDER BY (membership.organization_id = session.organization_id) IS TRUE DESC,
            membership.created_at, membership.organization_id
   LIMIT 1`;

/** A signed-in user, with or without organizations. */
export type Person = {
  sessionId: string;
  userId: string;
  email: string;
  hasFactor: boolean;
  /** They have one, but did not use it in this session recently. */
  isFactorStale: boolean;
  /** One of their organizations requires a second factor by now, and they have none. */
  lacksFactor: boolean;
};

type Row = Pick<Person, 'sessionId' | 'userId' | 'email' | 'hasFactor'> & {
  isRequired: boolean;
  secondFactorAt: Date | null;
};

/** The user of a session; null if it has expired. */
export async function findPerson(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  sessionId: string,
): Promise<Person | null> {
  const now = clock.now();
  const [row] = await db.$queryRaw<Row[]>`
    SELECT session.id AS "sessionId", person.id AS "userId", person.email, ${hasSecondFactor} AS "hasFactor",
           ${requiresSecondFactor(now)} AS "isRequired", session.second_factor_at AS "secondFactorAt"
      FROM session JOIN "user" AS person ON person.id = session.user_id
     WHERE session.id = ${sessionId} AND session.expires_at > ${now}`;
  if (row === undefined) return null;
  const { isRequired, secondFactorAt, ...person } = row;
  const isFactorStale = person.hasFactor && !isRecentFactor(secondFactorAt, now);
  return { ...person, isFactorStale, lacksFactor: isRequired && !person.hasFactor };
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
