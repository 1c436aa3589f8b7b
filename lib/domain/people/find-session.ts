import type { Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { chosenMembership } from './chosen-membership';
import { sessionEnd } from './create-session';
import { storableUserAgent, type Visitor } from './visitor';

/** A person who is signed in, and the organization they act for in this browser. */
export type FoundSession = {
  id: string;
  userId: string;
  email: string;
  name: string | null;
  organizationId: string;
  organizationName: string;
  role: Role;
};

type Row = FoundSession & { createdAt: Date; lastSeenAt: Date };

/** `lastSeenAt` is precise to this; a write a request would cost more than it tells. */
const LAST_SEEN_PRECISION_MS = 60_000;

/**
 * The session of this id with its person, membership and role as they are now, in one query, so that what was ended
 * or changed counts at once. Being used puts off its end by the idle lifetime, up to the absolute one. Null when it
 * is over, or the person belongs to no organization. The organization is the one chosen in this browser while the
 * person belongs to it, else the one they joined first.
 */
export async function findSession(
  { db, clock, sessions }: Pick<Services, 'db' | 'clock' | 'sessions'>,
  id: string,
  visitor: Visitor | null = null,
): Promise<FoundSession | null> {
  const now = clock.now();
  const [row] = await db.$queryRaw<Row[]>`
    SELECT session.id, session.created_at AS "createdAt", session.last_seen_at AS "lastSeenAt", session.user_id AS "userId", person.email, person.name,
           chosen.organization_id AS "organizationId", chosen.name AS "organizationName", chosen.role
      FROM session
      JOIN "user" AS person ON person.id = session.user_id
     CROSS JOIN LATERAL (${chosenMembership}) AS chosen
     WHERE session.id = ${id} AND session.expires_at > ${now}`;
  if (row === undefined) return null;
  const { createdAt, lastSeenAt, ...session } = row;
  const seenBefore = new Date(now.getTime() - LAST_SEEN_PRECISION_MS);
  if (visitor && lastSeenAt < seenBefore) {
    // Conditional, so that of many requests at once one writes.
    await db.session.updateMany({
      where: { id, lastSeenAt: { lt: seenBefore } },
      data: {
        lastSeenAt: now,
        expiresAt: sessionEnd(sessions, { createdAt, usedAt: now }),
        address: visitor.address,
        userAgent: storableUserAgent(visitor.userAgent),
      },
    });
  }
  return session;
}
