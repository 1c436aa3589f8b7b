import type { Services } from '@/lib/domain/context/services';

/** Somebody who is signed in, whatever they belong to. */
export type Person = { sessionId: string; userId: string; email: string };

/** The person of a session; null when it is over. */
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
