import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Services } from '@/lib/domain/context/services';
import { hashPassword, verifyPassword } from '@/lib/domain/organizations/password';
import type { Transaction } from '@/lib/platform/db/client';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { passwordChangedMail } from './account-mails';
import { endResetLinks, mailedLinkBase } from './one-time-links';
import { endSessionsOf } from './sessions';

type Change = {
  user: { id: string; email: string };
  passwordHash: string;
  /** The user's current session, which is kept; all others end. */
  keepSession?: string;
  address: string | null;
};

/**
 * Sets a user's password in the caller's transaction: ends their sessions, revokes their reset links, logs it in each of their
 * organizations, and notifies them by email.
 */
export async function setPassword(
  tx: Transaction,
  services: Services,
  { user, passwordHash, keepSession, address }: Change,
): Promise<void> {
  const updatedAt = services.clock.now();
  await tx.user.update({ where: { id: user.id }, data: { passwordHash, updatedAt } });
  await endSessionsOf(tx, user.id, { except: keepSession });
  await endResetLinks(tx, user.id);
  const memberships = await tx.membership.findMany({ where: { userId: user.id } });
  for (const { organizationId, role } of memberships) {
    const actor = { kind: 'user' as const, userId: user.id, role };
    const ctx = { organizationId, actor, clock: services.clock, address };
    const subject = { id: user.id, label: user.email };
    await recordAudit(tx, ctx, { action: 'member.reset-password', subject, after: { password: 'new' } });
  }
  if (services.mail.isOn) {
    const content = passwordChangedMail(mailedLinkBase(services));
    const mail = { organizationId: null, kind: 'password-changed', to: user.email, content } as const;
    await queueMail(tx, services, mail);
  }
}

type PasswordChange = { userId: string; sessionId: string; newPassword: string; address: string | null };

/** True if this is the user's password, otherwise null, as a throttle's `guard` expects. */
export async function checkOwnPassword(
  { db }: Pick<Services, 'db'>,
  userId: string,
  password: string,
): Promise<true | null> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { passwordHash: true } });
  return (await verifyPassword(user?.passwordHash ?? null, password)) ? true : null;
}

/** The error for a wrong current password. */
export function wrongPassword(): DomainError {
  const details = [{ path: 'currentPassword', code: 'wrong', message: 'is incorrect' }];
  return new DomainError('VALIDATION_ERROR', 'The current password is incorrect.', details);
}

/** Changes the user's password and ends all their other sessions. The caller has verified the current password. */
export async function changePassword(
  services: Services,
  { userId, sessionId, newPassword, address }: PasswordChange,
): Promise<void> {
  const passwordHash = await hashPassword(newPassword);
  await services.db.$transaction(async (tx) => {
    const user = await tx.user.findUniqueOrThrow({
      where: { id: userId },
      select: { id: true, email: true },
    });
    await setPassword(tx, services, { user, passwordHash, keepSession: sessionId, address });
  });
}
