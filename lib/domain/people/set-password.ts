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
  /** The session in which the person does it themselves; all others end. */
  keepSession?: string;
  address: string | null;
};

/**
 * Gives a person another password, in the caller's transaction: their sessions end, open reset links are worth nothing,
 * every organization of theirs has it in its log, and they are told by mail.
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
    await recordAudit(
      tx,
      { organizationId, actor, clock: services.clock, address },
      {
        action: 'member.reset-password',
        subject: { id: user.id, label: user.email },
        after: { password: 'new' },
      },
    );
  }
  if (services.mail.isOn) {
    const content = passwordChangedMail(mailedLinkBase(services));
    await queueMail(tx, services, {
      organizationId: null,
      kind: 'password-changed',
      to: user.email,
      content,
    });
  }
}

type PasswordChange = { userId: string; sessionId: string; newPassword: string; address: string | null };

/** Whether this is the person's password; null where it is not, as a throttle's `guard` wants it. */
export async function checkOwnPassword(
  { db }: Pick<Services, 'db'>,
  userId: string,
  password: string,
): Promise<true | null> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { passwordHash: true } });
  return (await verifyPassword(user?.passwordHash ?? null, password)) ? true : null;
}

/** The refusal of a wrong current password, at its field. */
export function wrongPassword(): DomainError {
  const details = [{ path: 'currentPassword', code: 'wrong', message: 'is not right' }];
  return new DomainError('VALIDATION_ERROR', 'The current password is not right.', details);
}

/** Gives the person a new password; all their sessions but this one end. The caller has checked the current one. */
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
