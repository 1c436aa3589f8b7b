import { z } from 'zod';
import { createId } from '@/lib/core/ids';
import type { Keyring } from '@/lib/core/keyring';
import { cutText, storableText } from '@/lib/core/storable-text';
import type { Clock } from '@/lib/core/time/clock';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { LANGUAGES } from '@/lib/schemas/language';

const MINUTE = 60_000;
const RETRY_DELAYS: readonly number[] = [1, 5, 30, 120].map((minutes) => minutes * MINUTE);

/** Characters that end a line, are invisible, or change the text direction. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Keeps line breaks. */
const paragraph = z.string().transform((text) => storableText(text));

const line = (length: number) => z.string().transform((text) => oneLine(text, length));

const webUrl = z.url({ protocol: /^https?$/ });

const lineSchema = z.strictObject({
  text: line(200),
  /** Follows the text, indented. */
  detail: line(500).optional(),
  url: webUrl.optional(),
});

/** The content of a mail. Texts are plain; only paragraphs keep line breaks. */
export const mailContentSchema = z.strictObject({
  /** The language of all texts; English by default. */
  language: z.enum(LANGUAGES).optional(),
  subject: line(200),
  /** Shown next to the subject in mail lists. */
  preheader: line(200).optional(),
  blocks: z.array(
    z.union([
      z.strictObject({ paragraph }),
      z.strictObject({ heading: line(200) }),
      // With a detail in each line and no link, it is a table of labels and values.
      z.strictObject({ list: z.array(lineSchema) }),
    ]),
  ),
  button: z.strictObject({ label: line(80), url: webUrl }).optional(),
  /** Why the reader receives this mail. */
  footnote: paragraph.optional(),
  /** Ends a subscription: a page for visits, immediate for an RFC 8058 POST. */
  unsubscribeUrl: webUrl.optional(),
  /** Its label; `Unsubscribe` by default. */
  unsubscribeLabel: line(80).optional(),
});

export type MailContent = z.output<typeof mailContentSchema>;

export type MailBlock = MailContent['blocks'][number];

export type MailLine = z.output<typeof lineSchema>;

/** A line of a table: a label and its value. */
export type MailFact = { text: string; detail: string };

/** Whether a list is a table of labels and values. */
export function areFacts(lines: readonly MailLine[]): lines is MailFact[] {
  return lines.length > 0 && lines.every(({ detail, url }) => detail !== undefined && url === undefined);
}

/** The thread of a mail, as mail programs show conversations: the same subject for all its mails, and headers that refer to the first. */
export const mailThreadSchema = z.object({
  /** Determines the Message-ID of the first mail, to which the others refer. */
  id: z.string(),
  subject: line(200),
  isFirst: z.boolean(),
  /** Earlier threads that the first mail continues as well. */
  continued: z.array(z.string()),
});

export type MailThread = z.output<typeof mailThreadSchema>;

/** A mail to one recipient. */
export type NewMail = {
  /** Null if no organization is concerned; mails are deleted with their organization. */
  organizationId: string | null;
  /** Its topic in a word, such as `alert`: for logs. */
  kind: string;
  /** An address accepted by `emailAddress`. */
  to: string;
  content: MailContent;
  /** The thread it belongs to, whose subject replaces that of the content: what the latter says is above the text. */
  thread?: MailThread | null;
  /** One of many identical mails: sent after all others. */
  isBulk?: boolean;
};

type Needs = { keyring: Keyring; clock: Clock; mail: { isOn: boolean } };

/** `queueMails` for one. */
export function queueMail(tx: Transaction, services: Needs, mail: NewMail): Promise<void> {
  return queueMails(tx, services, [mail]);
}

/**
 * Queues mails in the transaction that causes them: a worker sends them if and only if it commits, with
 * retries. The content is encrypted until it is sent, since it can contain a link with a token. Check
 * `services.mail.isOn` first: throws if email is off.
 */
export async function queueMails(
  tx: Transaction,
  { keyring, clock, mail }: Needs,
  mails: NewMail[],
): Promise<void> {
  if (!mail.isOn) throw new Error('email is off, so this mail would never be sent');
  if (mails.length === 0) return;
  const now = clock.now();
  await tx.mail.createMany({
    data: mails.map(({ organizationId, kind, to, content, thread = null, isBulk = false }) => {
      const id = createId('mail');
      const contentSealed = keyring.seal(JSON.stringify(mailContentSchema.parse(content)), id);
      const priority = isBulk ? 1 : 0;
      const due = { createdAt: now, nextAttemptAt: now };
      const threaded = thread === null ? {} : { thread };
      return { id, organizationId, kind, recipient: to, contentSealed, priority, ...threaded, ...due };
    }),
  });
  await notify(tx, 'pharos_mail');
}

/** Text on one line: line breaks and control characters become spaces, and longer text ends in an ellipsis. */
export function oneLine(text: string, length: number): string {
  const flat = storableText(text.replace(BREAKS, ' ')).replace(/\s+/g, ' ').trim();
  return flat.length <= length ? flat : `${cutText(flat, length - 1).trimEnd()}…`;
}

/** Text that mail programs do not turn into a link: strangers must not choose addresses in unsolicited email. */
export function unlinked(text: string): string {
  return text.replace(/[.:@/](?=\S)/gu, '$&\u200b');
}

/** When to retry a mail after `failures` failed attempts, the last at `failedAt`; null: never. */
export function nextMailAttemptAt(failures: number, failedAt: Date): Date | null {
  const delay = RETRY_DELAYS[failures - 1];
  return delay === undefined ? null : new Date(failedAt.getTime() + delay);
}
