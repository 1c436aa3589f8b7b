import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { hashPassword } from '@/lib/domain/organizations/password';
import { requireAuthorityToReset } from './handed-links';
import { consumeToken, readToken } from './one-time-token';
import { setPassword } from './set-password';

const KIND = 'password_reset';

/** Whose password the link resets, for the page it opens. Throws NOT_FOUND, in words, for a link that is not good. */
export async function readPasswordReset({ db, clock }: Services, token: string): Promise<{ email: string }> {
  const found = await readToken(db, { kind: KIND, token, now: clock.now() });
  await requireAuthorityToReset(db, found);
  return { email: found.email };
}

/**
 * Sets a new password by a link, which is used up; all sessions of the person end. Answers the address, for the throttle to
 * forgive. Throws NOT_FOUND, in words for who holds the link.
 */
export async function resetPassword(
  services: Services,
  { token, password, address }: { token: string; password: string; address: string | null },
): Promise<{ email: string }> {
  // A link that is not good costs no hash.
  await readPasswordReset(services, token);
  const passwordHash = await hashPassword(password);
  return services.db.$transaction(async (tx) => {
    const used = await consumeToken(tx, { kind: KIND, token, now: services.clock.now() });
    await requireAuthorityToReset(tx, used);
    const { email, userId } = used;
    const user = await tx.user.findUnique({ where: { id: userId ?? '' }, select: { id: true, email: true } });
    if (user === null || user.email !== email) {
      throw new DomainError('NOT_FOUND', 'This link was made for another address. Ask for a new one.');
    }
    await setPassword(tx, services, { user, passwordHash, address });
    return { email };
  });
}
