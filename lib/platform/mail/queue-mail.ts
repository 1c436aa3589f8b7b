import type { Clock } from '@/lib/core/clock';
import { createId } from '@/lib/core/ids';
import type { Keyring } from '@/lib/core/keyring';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/notify';
import { type MailContent, mailContentSchema } from './mail-content';

/** A mail to one recipient. */
export type NewMail = {
  /** Null where no organization is concerned; with an organization its mail goes too. */
  organizationId: string | null;
  /** What it is about in a word, such as `alert`: for logs. */
  kind: string;
  /** An address that `emailAddress` accepted. */
  to: string;
  content: MailContent;
  /** One of many that say the same: it gives way to every other mail. */
  isBulk?: boolean;
};

type Needs = { keyring: Keyring; clock: Clock; mail: { isOn: boolean } };

/** `queueMails` for one. */
export function queueMail(tx: Transaction, services: Needs, mail: NewMail): Promise<void> {
  return queueMails(tx, services, [mail]);
}

/**
 * Writes mails into the transaction of what caused them: a worker sends them if and only if it commits, and as often as it
 * takes. The content is sealed until it is sent, for it can hold a link with a token. Ask `services.mail.isOn` first:
 * throws where no mail can be sent.
 */
export async function queueMails(
  tx: Transaction,
  { keyring, clock, mail }: Needs,
  mails: NewMail[],
): Promise<void> {
  if (!mail.isOn) throw new Error('e-mail is off, so this mail would never be sent');
  if (mails.length === 0) return;
  const now = clock.now();
  await tx.mail.createMany({
    data: mails.map(({ organizationId, kind, to, content, isBulk = false }) => {
      const id = createId('mail');
      const contentSealed = keyring.seal(JSON.stringify(mailContentSchema.parse(content)), id);
      const priority = isBulk ? 1 : 0;
      const due = { createdAt: now, nextAttemptAt: now };
      return { id, organizationId, kind, recipient: to, contentSealed, priority, ...due };
    }),
  });
  await notify(tx, 'pharos_mail');
}
