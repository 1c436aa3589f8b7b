import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { type MailContent, queueMail } from '@/lib/platform/mail/queue-mail';
import type { AuditedActionName } from '@/lib/schemas/audit';

type Deed = {
  /** Who did it, to their own account. */
  user: { id: string; email: string };
  action: AuditedActionName;
  before?: Record<string, string | number>;
  after?: Record<string, string | number>;
  address: string | null;
  /** Mailed to the person, if this service sends email. */
  mail?: MailContent;
};

/** Logs what a person did to their own account in each of their organizations, and notifies them by email. */
export async function recordForPerson(
  tx: Transaction,
  services: Services,
  { user: { id, email }, action, before, after, address, mail }: Deed,
): Promise<void> {
  const memberships = await tx.membership.findMany({ where: { userId: id } });
  for (const { organizationId, role } of memberships) {
    const actor = { kind: 'user' as const, userId: id, role };
    const ctx = { organizationId, actor, clock: services.clock, address };
    await recordAudit(tx, ctx, { action, subject: { id, label: email }, before, after });
  }
  if (mail === undefined || !services.mail.isOn) return;
  await queueMail(tx, services, { organizationId: null, kind: 'account-security', to: email, content: mail });
}
