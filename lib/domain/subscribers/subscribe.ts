import { createHash, randomBytes } from 'node:crypto';
import { fill } from '@/lib/core/fill';
import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import { pageWords } from '@/lib/domain/notices/page-texts';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { lastingAddress } from '@/lib/domain/status-pages/public-address';
import { findPublishedPage } from '@/lib/domain/status-pages/read-public-page';
import { statusPageNotFound } from '@/lib/domain/status-pages/read-status-pages';
import type { Transaction } from '@/lib/platform/db/client';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { oneLine, queueMail, unlinked } from '@/lib/platform/mail/queue-mail';
import { isSlug } from '@/lib/schemas/status-page';

/** For how many days a link to confirm a subscription works; then the request is forgotten. */
export const CONFIRM_DAYS = 7;

/** How often one address is asked to confirm for one page, whoever types it in. */
const ASK_EVERY_MS = 10 * 60_000;

/** How many confirmation emails one page may cause in an hour: nobody floods strangers' inboxes through its form. */
const CONFIRMATIONS_PER_HOUR = 100;

/** How a token is kept: nobody who reads the table can confirm with it. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/**
 * Asks an address to confirm that it wants emails of a page: one email in ten minutes, however often somebody types it in,
 * none to an address that is subscribed already, and at most 100 an hour for the page. `isLimited` is true where that
 * limit is reached, whatever the address: the result never reveals who is subscribed.
 */
export async function subscribe(
  services: Services,
  { page, address }: SubscribablePage,
  { email, language }: { email: string; language: string },
): Promise<{ isLimited: boolean }> {
  const now = services.clock.now();
  const token = randomBytes(32).toString('base64url');
  return services.db.$transaction(async (tx) => {
    if ((await countConfirmations(tx, page.id, now)) >= CONFIRMATIONS_PER_HOUR) return { isLimited: true };
    const asked = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO page_subscriber AS subscriber (id, page_id, email, language, token_hash, requested_at, created_at)
      VALUES (${createId('subscriber')}, ${page.id}, ${email}, ${language}, ${hashToken(token)}, ${now}, ${now})
      ON CONFLICT (page_id, email) DO UPDATE
         SET token_hash = excluded.token_hash, language = excluded.language, requested_at = excluded.requested_at
       WHERE subscriber.confirmed_at IS NULL
         AND subscriber.requested_at <= ${new Date(now.getTime() - ASK_EVERY_MS)}
      RETURNING id`;
    if (asked.length === 0) return { isLimited: false };
    await tx.subscriptionRequest.create({ data: { pageId: page.id, requestedAt: now } });
    const url = `${address}/confirm?${new URLSearchParams({ token, lang: language })}`;
    await queueMail(tx, services, {
      organizationId: page.organizationId,
      kind: 'confirm-subscription',
      to: email,
      content: confirmationMail(page.name, url, language),
    });
    return { isLimited: false };
  });
}

/**
 * The confirmations of a page in the last hour, older ones forgotten. Holds the page, so that two at once are counted
 * one after the other.
 */
async function countConfirmations(tx: Transaction, pageId: string, now: Date): Promise<number> {
  await tx.$queryRaw`SELECT id FROM status_page WHERE id = ${pageId} FOR NO KEY UPDATE`;
  const hourAgo = new Date(now.getTime() - 3_600_000);
  await tx.subscriptionRequest.deleteMany({ where: { pageId, requestedAt: { lte: hourAgo } } });
  return tx.subscriptionRequest.count({ where: { pageId } });
}

function confirmationMail(pageName: string, url: string, language: string): MailContent {
  const words = pageWords(language);
  const { subject, preheader, requested, whatToDo, button } = words.texts.confirmation;
  const values = { page: unlinked(oneLine(pageName, 80)), days: String(CONFIRM_DAYS) };
  return {
    language: words.language,
    subject: fill(subject, values),
    preheader: fill(preheader, values),
    blocks: [{ paragraph: fill(requested, values) }, { paragraph: fill(whatToDo, values) }],
    button: { label: button, url },
  };
}

/** A page that people can subscribe to, and where the links in its mails lead, without a slash at the end. */
type SubscribablePage = { page: PageRow; address: string };

/**
 * Finds a published page whose subscribers can be told by e-mail: where mail is on, and the service knows an address of
 * the page to put into mails (the one in a request's Host is anybody's word). Throws NOT_FOUND else.
 */
export async function findSubscribablePage(
  services: Pick<Services, 'db' | 'mail' | 'appUrl'>,
  slug: string,
): Promise<SubscribablePage> {
  if (!isSlug(slug)) throw statusPageNotFound();
  const page = await findPublishedPage(services.db, slug);
  const address = subscriptionAddress(services, page);
  if (address === null) throw statusPageNotFound();
  return { page, address };
}

/** Where the links in mails to subscribers of a page lead; null where nobody can subscribe. */
function subscriptionAddress(
  { mail, appUrl }: Pick<Services, 'mail' | 'appUrl'>,
  page: Parameters<typeof lastingAddress>[0],
): string | null {
  return mail.isOn ? lastingAddress(page, appUrl) : null;
}
