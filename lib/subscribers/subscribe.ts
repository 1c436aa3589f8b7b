import { createHash, randomBytes } from 'node:crypto';
import type { Services } from '@/lib/context/services';
import { fill } from '@/lib/core/fill';
import { createId } from '@/lib/core/ids';
import type { MailContent } from '@/lib/mail/mail-content';
import { oneLine } from '@/lib/mail/one-line';
import { queueMail } from '@/lib/mail/queue-mail';
import { pageWords } from '@/lib/notices/page-texts';
import { ASK_EVERY_MS, CONFIRM_DAYS } from './confirmation-terms';
import type { SubscribablePage } from './find-subscribable-page';

/** How a token is kept: nobody who reads the table can confirm with it. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/**
 * Asks an address to confirm that it wants mails of a page: one mail in ten minutes, however often somebody types it in,
 * and none to who is subscribed already. The answer is the same in every case, so that it tells nobody who is.
 */
export async function subscribe(
  services: Services,
  { page, address }: SubscribablePage,
  { email, language }: { email: string; language: string },
): Promise<void> {
  const now = services.clock.now();
  const token = randomBytes(32).toString('base64url');
  await services.db.$transaction(async (tx) => {
    // Two at once: the second waits here for the first, and finds that the address was asked just now.
    const asked = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO page_subscriber AS subscriber (id, page_id, email, language, token_hash, requested_at, created_at)
      VALUES (${createId('subscriber')}, ${page.id}, ${email}, ${language}, ${hashToken(token)}, ${now}, ${now})
      ON CONFLICT (page_id, email) DO UPDATE
         SET token_hash = excluded.token_hash, language = excluded.language, requested_at = excluded.requested_at
       WHERE subscriber.confirmed_at IS NULL
         AND subscriber.requested_at <= ${new Date(now.getTime() - ASK_EVERY_MS)}
      RETURNING id`;
    if (asked.length === 0) return;
    const url = `${address}/confirm?${new URLSearchParams({ token, lang: language })}`;
    await queueMail(tx, services, {
      organizationId: page.organizationId,
      kind: 'confirm-subscription',
      to: email,
      content: confirmationMail(page.name, url, language),
    });
  });
}

function confirmationMail(pageName: string, url: string, language: string): MailContent {
  const words = pageWords(language);
  const { subject, preheader, asked, whatToDo, button } = words.texts.confirmation;
  const values = { page: oneLine(pageName, 80), days: String(CONFIRM_DAYS) };
  return {
    language: words.language,
    subject: fill(subject, values),
    preheader: fill(preheader, values),
    blocks: [{ paragraph: fill(asked, values) }, { paragraph: fill(whatToDo, values) }],
    button: { label: button, url },
  };
}
