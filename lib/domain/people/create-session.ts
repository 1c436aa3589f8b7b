import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import { storableUserAgent, type Visitor } from './visitor';

/**
 * Until when a session lasts that was created and last used at these moments: idle or absolute lifetime, whichever
 * ends first.
 */
export function sessionEnd(
  { lifetimeMs, idleMs }: Services['sessions'],
  { createdAt, usedAt }: { createdAt: Date; usedAt: Date },
): Date {
  return new Date(Math.min(createdAt.getTime() + lifetimeMs, usedAt.getTime() + idleMs));
}

/** Notes that a person is signed in in a browser; answers the session's id, which goes into its cookie. */
export async function createSession(
  { db, clock, sessions }: Pick<Services, 'db' | 'clock' | 'sessions'>,
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
      expiresAt: sessionEnd(sessions, { createdAt: now, usedAt: now }),
      address,
      userAgent: storableUserAgent(userAgent),
    },
  });
  return id;
}
