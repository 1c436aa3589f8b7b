import type { Services } from '@/lib/domain/context/services';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { resetMail } from './account-mails';
import { MAILED_LINK_MS, mailedLinkBase, resetPasswordPath } from './links';
import { endResetLinks, issueToken } from './one-time-token';

/**
 * Mails the person of this address a link to a new password; an older one is worth nothing from then on. An address
 * without an account gets nothing: answer the one who asks before this runs, so that neither words nor time tell them
 * apart. Does nothing where no link can be mailed (`mailedLinkBase`).
 */
export async function requestPasswordReset(services: Services, email: string): Promise<void> {
  const base = mailedLinkBase(services);
  if (base === null) return;
  const user = await services.db.user.findUnique({ where: { email }, select: { id: true } });
  if (user === null) return;
  await services.db.$transaction(async (tx) => {
    await endResetLinks(tx, user.id);
    const subject = { kind: 'password_reset' as const, email, userId: user.id };
    const { token } = await issueToken(tx, subject, {
      now: services.clock.now(),
      lifetimeMs: MAILED_LINK_MS,
    });
    const content = resetMail(base + resetPasswordPath(token));
    await queueMail(tx, services, { organizationId: null, kind: 'password-reset', to: email, content });
  });
}
