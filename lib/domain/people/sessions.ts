import type { Services } from '@/lib/domain/context/services';
import type { Database, Transaction } from '@/lib/platform/db/client';

type Needs = Pick<Services, 'db' | 'clock'>;

/** One browser in which a person is signed in. */
export type OwnSession = {
  id: string;
  createdAt: Date;
  /** Precise to a minute. */
  lastSeenAt: Date;
  address: string | null;
  userAgent: string | null;
};

/** Where a person is signed in, the browser used last first. */
export function listSessions({ db, clock }: Needs, userId: string): Promise<OwnSession[]> {
  return db.session.findMany({
    where: { userId, expiresAt: { gt: clock.now() } },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
    select: { id: true, createdAt: true, lastSeenAt: true, address: true, userAgent: true },
  });
}

/** Signs a person out of one browser, at once. A session that is over, or another's, stays as it is. */
export async function endSession({ db }: Pick<Services, 'db'>, userId: string, id: string): Promise<void> {
  await db.session.deleteMany({ where: { id, userId } });
}

/** Signs a person out everywhere, but for the session `except` where one is given; answers how many have ended. */
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
