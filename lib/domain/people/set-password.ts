import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { passwordChangedMail } from './account-mails';
import { mailedLinkBase } from './links';
import { endResetLinks } from './one-time-token';
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
