import { createId } from '@/lib/core/ids';
import { cutText } from '@/lib/core/storable-text';
import type { Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import type { PlanId } from '@/lib/plans/catalogue';
import type { Database, Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import { readTogether } from '@/lib/platform/db/read-together';
import { chosenMembership } from './profile';
import { hasSecondFactor } from './second-factor/has-second-factor';

/** A browser, as shown to the user in the list of their sessions. */
export type Visitor = { address: string | null; userAgent: string | null };

const SHOWN_LENGTH = 300;

/** A signed-in user with the organization they act for in this browser. */
type FoundSession = {
  id: string;
  userId: string;
  email: string;
  name: string | null;
  organizationId: string;
  organizationName: string;
  plan: PlanId;
  role: Role;
  hasFactor: boolean;
  /** When the second factor was last used in this session. */
  secondFactorAt: Date | null;
  /** From when the organization requires a second factor. */
  secondFactorFrom: Date | null;
};

/** Moments are in epoch milliseconds. */
type Row = Omit<FoundSession, 'secondFactorAt' | 'secondFactorFrom'> &
  Record<'createdAt' | 'lastSeenAt', number> &
  Record<'secondFactorAt' | 'secondFactorFrom', number | null>;

/** Precision of `lastSeenAt`, which avoids a write with every request. */
const LAST_SEEN_PRECISION_MS = 60_000;

/** The sessions of a user, most recently used first; `lastSeenAt` is precise to a minute. */
export function listSessions({ db, clock }: Pick<Services, 'db' | 'clock'>, userId: string) {
  return db.session.findMany({
    where: { userId, expiresAt: { gt: clock.now() } },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
    select: { id: true, createdAt: true, lastSeenAt: true, address: true, userAgent: true },
  });
}

/** Ends one session of the user; does nothing if it is not theirs. */
export async function endSession({ db }: Pick<Services, 'db'>, userId: string, id: string): Promise<void> {
  await db.session.deleteMany({ where: { id, userId } });
}

/** Ends all sessions of a user except `except`; returns how many ended. */
export async function endSessionsOf(
  db: Database | Transaction,
  userId: string,
  { except }: { except?: string } = {},
): Promise<number> {
  const { count } = await db.session.deleteMany({
    where: { userId, ...(except === undefined ? {} : { id: { not: except } }) },
  });
  return count;
}

/** When a session expires: by idle time or maximum age, whichever is earlier. */
export function sessionEnd(
  { lifetimeMs, idleMs }: Services['sessions'],
  { createdAt, usedAt }: { createdAt: Date; usedAt: Date },
): Date {
  return new Date(Math.min(createdAt.getTime() + lifetimeMs, usedAt.getTime() + idleMs));
}

/**
 * Creates a session and returns its ID for the cookie. Who may have one is decided by `completeSignIn`, and in tests by the test.
 * `isFactorProven`: a second factor was used in this sign-in.
 */
export async function createSession(
  { db, clock, sessions }: Pick<Services, 'clock' | 'sessions'> & { db: Database | Transaction },
  {
    userId,
    address,
    userAgent,
    isFactorProven = false,
  }: Visitor & { userId: string; isFactorProven?: boolean },
): Promise<string> {
  const now = clock.now();
  const id = createId('session');
  await db.session.create({
    data: {
      id,
      userId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: sessionEnd(sessions, { createdAt: now, usedAt: now }),
      address,
      userAgent: storableUserAgent(userAgent),
      secondFactorAt: isFactorProven ? now : null,
    },
  });
  return id;
}

/**
 * The session with its user and their current membership and role, in one query, so that changes take effect immediately. Using
 * a session extends it by the idle time, up to its maximum age. Null if it has expired, the user belongs to no organization, or
 * lacks the second factor that the organization requires by now.
 * The organization is the one chosen in this browser if the user still belongs to it, otherwise the one they joined first.
 */
export async function findSession(
  { db, clock, sessions }: Pick<Services, 'db' | 'clock' | 'sessions'>,
  id: string,
  visitor: Visitor | null = null,
): Promise<FoundSession | null> {
  const now = clock.now();
  // Together, though it is one: that reads past Prisma, which takes as long for a row as PostgreSQL.
  const [row] = await readTogether(
    db,
    (db) => db.$queryRaw<Row[]>`
    SELECT session.id, ${toMs(Prisma.sql`session.created_at`)} AS "createdAt",
           ${toMs(Prisma.sql`session.last_seen_at`)} AS "lastSeenAt",
           session.user_id AS "userId", person.email, person.name,
           chosen.organization_id AS "organizationId", chosen.name AS "organizationName", chosen.plan, chosen.role,
           ${toMs(Prisma.sql`chosen.second_factor_from`)} AS "secondFactorFrom",
           ${toMs(Prisma.sql`session.second_factor_at`)} AS "secondFactorAt",
           ${hasSecondFactor} AS "hasFactor"
      FROM session
      JOIN "user" AS person ON person.id = session.user_id
     CROSS JOIN LATERAL (${chosenMembership}) AS chosen
     WHERE session.id = ${id} AND session.expires_at > ${now}`,
  );
  if (row === undefined) return null;
  const { createdAt, lastSeenAt, secondFactorAt, secondFactorFrom, ...own } = row;
  const session: FoundSession = {
    ...own,
    secondFactorAt: toDate(secondFactorAt),
    secondFactorFrom: toDate(secondFactorFrom),
  };
  if (lacksFactor(session, now)) return null;
  const seenBefore = new Date(now.getTime() - LAST_SEEN_PRECISION_MS);
  if (visitor && lastSeenAt < seenBefore.getTime()) {
    // Conditional, so that only one of many concurrent requests writes.
    await db.session.updateMany({
      where: { id, lastSeenAt: { lt: seenBefore } },
      data: {
        lastSeenAt: now,
        expiresAt: sessionEnd(sessions, { createdAt: new Date(createdAt), usedAt: now }),
        address: visitor.address,
        userAgent: storableUserAgent(visitor.userAgent),
      },
    });
  }
  return session;
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

function lacksFactor({ hasFactor, secondFactorFrom }: FoundSession, now: Date): boolean {
  return !hasFactor && secondFactorFrom !== null && secondFactorFrom <= now;
}

/** The current organization of each session, by session ID, without expired sessions. */
export async function readStandingSessions(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.$queryRaw<{ id: string; organizationId: string }[]>`
    SELECT session.id, chosen.organization_id AS "organizationId"
      FROM session CROSS JOIN LATERAL (${chosenMembership}) AS chosen
     WHERE session.id = ANY(${[...ids]}) AND session.expires_at > ${clock.now()}`;
  return new Map(rows.map(({ id, organizationId }) => [id, organizationId]));
}

/** A User-Agent without control characters, truncated for storage. */
export function storableUserAgent(text: string | null): string | null {
  return text === null ? null : cutText(text.replace(/\p{Cc}/gu, ''), SHOWN_LENGTH);
}
