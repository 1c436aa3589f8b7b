import { requireFound } from '@/lib/core/errors';
import type { Database } from '@/lib/platform/db/client';

/** The newest deeds of a person; more would be a file that nobody can open. */
export const MAX_EXPORTED_DEEDS = 20_000;
/** Emails are deleted after 30 days. */
const MAX_EXPORTED_MAILS = 5000;

/**
 * Everything that is stored about a person, without secrets: their account, what they chose, how they sign in, their sessions,
 * what they did, and which emails were sent to them. Throws NOT_FOUND.
 */
export async function exportAccount(db: Database, userId: string) {
  const account = await db.user.findUnique({
    where: { id: userId },
    select: {
      id: true,
      email: true,
      name: true,
      createdAt: true,
      updatedAt: true,
      passwordHash: true,
      memberships: {
        select: {
          organization: { select: { id: true, name: true } },
          role: true,
          alertMail: true,
          alertRules: true,
          createdAt: true,
          digestMail: { select: { timeZone: true, nextAt: true } },
          pushSubscriptions: { select: { createdAt: true, lastUsedAt: true } },
          reportMails: { select: { timeZone: true, target: true, tag: true, createdAt: true } },
        },
        orderBy: { createdAt: 'asc' },
      },
      identities: { select: { issuer: true, subject: true, email: true, createdAt: true, lastUsedAt: true } },
      totpFactor: { select: { confirmedAt: true } },
      passkeys: { select: { name: true, createdAt: true, lastUsedAt: true } },
      sessions: {
        select: { createdAt: true, lastSeenAt: true, expiresAt: true, address: true, userAgent: true },
        orderBy: { createdAt: 'desc' },
      },
    },
  });
  const { passwordHash, totpFactor, ...stored } = requireFound(account, 'User');
  const [activity, emails] = await Promise.all([
    db.auditEntry.findMany({
      where: { OR: [{ actorKind: 'user', actorId: userId }, { subjectId: userId }] },
      select: {
        at: true,
        organizationId: true,
        action: true,
        actorId: true,
        subjectId: true,
        subjectLabel: true,
        before: true,
        after: true,
        address: true,
      },
      orderBy: { number: 'desc' },
      take: MAX_EXPORTED_DEEDS,
    }),
    db.mail.findMany({
      where: { recipient: stored.email },
      select: { kind: true, createdAt: true, sentAt: true, failedAt: true },
      orderBy: { createdAt: 'desc' },
      take: MAX_EXPORTED_MAILS,
    }),
  ]);
  return {
    ...stored,
    hasPassword: passwordHash !== null,
    authenticatorAppSince: totpFactor?.confirmedAt ?? null,
    activity,
    emails,
  };
}

/** The same for the operator. */
export async function exportAccountOf(db: Database, email: string) {
  const user = await db.user.findUnique({ where: { email }, select: { id: true } });
  return exportAccount(db, requireFound(user, `User ${email}`).id);
}
