import type { Services } from '@/lib/context/services';
import { createId } from '@/lib/core/ids';
import { storableUserAgent, type Visitor } from './visitor';

/** How long a person stays signed in. */
export const SESSION_SECONDS = 30 * 24 * 3600;

/** Notes that a person is signed in in a browser; answers the session's id, which goes into its cookie. */
export async function createSession(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { userId, address, userAgent }: Visitor & { userId: string },
): Promise<string> {
  const now = clock.now();
  const id = createId('session');
  await db.session.create({
    data: {
      id,
      userId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000),
      address,
      userAgent: storableUserAgent(userAgent),
    },
  });
  return id;
}
