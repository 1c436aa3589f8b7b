import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { hashPassword, verifyPassword } from '@/lib/domain/organizations/password';
import { setPassword } from './set-password';

type Change = { userId: string; sessionId: string; newPassword: string; address: string | null };

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
  { userId, sessionId, newPassword, address }: Change,
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
