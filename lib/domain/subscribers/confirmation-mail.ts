import { createHash, randomBytes } from 'node:crypto';
import { fill } from '@/lib/core/text';
import { pageWords } from '@/lib/domain/notices/page-texts';
import { type MailContent, oneLine, unlinked } from '@/lib/platform/mail/queue-mail';

/** Days until a confirmation link expires and the request is deleted. */
export const CONFIRM_DAYS = 7;

/** A new token for a confirmation link. */
export function createConfirmationToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a token, which cannot be used to confirm. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

type Confirmation = {
  pageName: string;
  /** The base URL of the page, without a trailing slash. */
  address: string;
  token: string;
  language: string;
  /** Whether the owner of the page imported the address, rather than a visitor entered it. */
  isImported?: boolean;
  /** Where the endpoint is that is to be notified, rather than the address; strangers choose it, too. */
  host?: string;
};

/** The email that asks for a confirmation. The name of the page is written so that it is no link, because strangers choose it. */
export function composeConfirmation({
  pageName,
  address,
  token,
  language,
  isImported = false,
  host,
}: Confirmation): MailContent {
  const words = pageWords(language);
  const { subject, preheader, button, ...texts } = words.texts.confirmation;
  const values = {
    page: unlinked(oneLine(pageName, 80)),
    host: unlinked(oneLine(host ?? '', 80)),
    days: String(CONFIRM_DAYS),
  };
  const requested = host === undefined ? texts.requested : texts.endpointRequested;
  const paragraphs = isImported ? [texts.imported, texts.ifWanted] : [requested, texts.whatToDo];
  return {
    language: words.language,
    subject: fill(subject, values),
    ...(host === undefined ? { preheader: fill(preheader, values) } : {}),
    blocks: paragraphs.map((text) => ({ paragraph: fill(text, values) })),
    button: { label: button, url: `${address}/confirm?${new URLSearchParams({ token, lang: language })}` },
  };
}
