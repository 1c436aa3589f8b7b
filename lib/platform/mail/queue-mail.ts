import { z } from 'zod';
import type { Clock } from '@/lib/core/clock';
import { createId } from '@/lib/core/ids';
import type { Keyring } from '@/lib/core/keyring';
import { cutText, storableText } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { LANGUAGES } from '@/lib/schemas/language';

const MINUTE = 60_000;

const RETRY_DELAYS: readonly number[] = [1, 5, 30, 120].map((minutes) => minutes * MINUTE);

/** What ends a line, is invisible, or turns the direction of what follows. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** With its line breaks, as people wrote it. */
const paragraph = z.string().transform((text) => storableText(text));

const line = (length: number) => z.string().transform((text) => oneLine(text, length));

const webUrl = z.url({ protocol: /^https?$/ });

const lineSchema = z.strictObject({
  text: line(200),
  /** Follows the text, set back. */
  detail: line(500).optional(),
  url: webUrl.optional(),
});

/** What a mail says. Texts are plain; `renderMail` escapes them. Paragraphs keep their line breaks, all else is one line. */
export const mailContentSchema = z.strictObject({
  /** Of all that is said; English where it is left out. */
  language: z.enum(LANGUAGES).optional(),
  subject: line(200),
  /** What a list of mails shows beside the subject. */
  preheader: line(200).optional(),
  blocks: z.array(
    z.union([
      z.strictObject({ paragraph }),
      z.strictObject({ heading: line(200) }),
      z.strictObject({ list: z.array(lineSchema) }),
    ]),
  ),
  button: z.strictObject({ label: line(80), url: webUrl }).optional(),
  /** Why the reader gets this mail. */
  footnote: paragraph.optional(),
  /** Where the reader ends a subscription: a page for a visit, and the end of it for an RFC 8058 POST. */
  unsubscribeUrl: webUrl.optional(),
  /** What that is called; `Unsubscribe` where it is left out. */
  unsubscribeLabel: line(80).optional(),
});

export type MailContent = z.output<typeof mailContentSchema>;

export type MailBlock = MailContent['blocks'][number];

export type MailLine = z.output<typeof lineSchema>;

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

/**
 * Text on one line, whatever people put into a name: line breaks and control characters become a space. What is longer
 * than `length` characters ends in an ellipsis.
 */
export function oneLine(text: string, length: number): string {
  const flat = storableText(text.replace(BREAKS, ' ')).replace(/\s+/g, ' ').trim();
  return flat.length <= length ? flat : `${cutText(flat, length - 1).trimEnd()}…`;
}

/**
 * Text that no mail program turns into a link, though it looks the same: an email that somebody did not ask for must not
 * carry an address that a stranger chose.
 */
export function unlinked(text: string): string {
  return text.replace(/[.:@/](?=\S)/gu, '$&\u200b');
}

/** When to try a mail again after `failures` failed tries, the last of them at `failedAt`; null: never. */
export function nextMailAttemptAt(failures: number, failedAt: Date): Date | null {
  const delay = RETRY_DELAYS[failures - 1];
  return delay === undefined ? null : new Date(failedAt.getTime() + delay);
}
