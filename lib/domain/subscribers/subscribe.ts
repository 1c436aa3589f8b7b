import { notFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import type { Services } from '@/lib/domain/context/services';
import { type Gate, publicOnly } from '@/lib/domain/status-pages/access/check-access';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { findPublishedPage } from '@/lib/domain/status-pages/public/read-public-page';
import { lastingAddress } from '@/lib/domain/status-pages/public-address';
import type { Transaction } from '@/lib/platform/db/client';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { ChosenRows } from '@/lib/schemas/status-pages/subscriber';
import { lockChosenRows } from './chosen-rows';
import { composeConfirmation, createConfirmationToken, hashToken } from './confirmation-mail';

/** Minimum time between two confirmation emails to one address for one page. */
export const RESEND_AFTER_MS = 10 * 60_000;
/** Confirmation emails per page and hour, so that nobody can flood inboxes through its form. */
export const MAX_CONFIRMATIONS_PER_HOUR = 100;

/**
 * Mails a confirmation link to an address: at most one in ten minutes, none if it is already subscribed, and at most 100 per
 * hour for the page. `isLimited` reports only the limit of the page, so the result does not reveal who is subscribed.
 */
export async function subscribe(
  services: Services,
  { page, address }: SubscribablePage,
  { email, language, rows }: { email: string; language: string; rows: ChosenRows },
): Promise<{ isLimited: boolean }> {
  const now = services.clock.now();
  const token = createConfirmationToken();
  return services.db.$transaction(async (tx) => {
    if ((await countConfirmations(tx, page.id, now)) >= MAX_CONFIRMATIONS_PER_HOUR)
      return { isLimited: true };
    const { rowIds, choseRows } = await lockChosenRows(tx, page.id, rows);
    const requested = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO page_subscriber AS subscriber
        (id, page_id, email, language, row_ids, chose_rows, token_hash, requested_at, created_at)
      VALUES (${createId('subscriber')}, ${page.id}, ${email}, ${language}, ${rowIds}, ${choseRows},
              ${hashToken(token)}, ${now}, ${now})
      ON CONFLICT (page_id, email) DO UPDATE
         SET token_hash = excluded.token_hash, language = excluded.language, row_ids = excluded.row_ids,
             chose_rows = excluded.chose_rows, requested_at = excluded.requested_at, awaits_email = false
       WHERE subscriber.confirmed_at IS NULL
         AND (subscriber.awaits_email OR subscriber.requested_at <= ${new Date(now.getTime() - RESEND_AFTER_MS)})
      RETURNING id`;
    if (requested.length === 0) return { isLimited: false };
    await tx.subscriptionRequest.create({ data: { pageId: page.id, requestedAt: now } });
    await queueMail(tx, services, {
      organizationId: page.organizationId,
      kind: 'confirm-subscription',
      to: email,
      content: composeConfirmation({ pageName: page.name, address, token, language }),
    });
    return { isLimited: false };
  });
}

/** The number of confirmation emails of a page in the last hour. Locks the page, so that concurrent requests are serialized. */
export async function countConfirmations(tx: Transaction, pageId: string, now: Date): Promise<number> {
  await tx.$queryRaw`SELECT id FROM status_page WHERE id = ${pageId} FOR NO KEY UPDATE`;
  const hourAgo = new Date(now.getTime() - 3_600_000);
  await tx.subscriptionRequest.deleteMany({ where: { pageId, requestedAt: { lte: hourAgo } } });
  return tx.subscriptionRequest.count({ where: { pageId } });
}

/** A page that people can subscribe to, with the base URL of the links in its emails, without a trailing slash. */
export type SubscribablePage = { page: PageRow; address: string };

/**
 * Finds a published page that supports subscriptions: mail is on and the service knows the page's URL (the Host of a request is
 * not trusted). Throws NOT_FOUND otherwise, and what `admit` throws.
 */
export async function findSubscribablePage(
  { db, mail, appUrl }: Pick<Services, 'db' | 'mail' | 'appUrl'>,
  slug: string,
  admit: Gate = publicOnly,
): Promise<SubscribablePage> {
  const page = await findPublishedPage(db, slug, admit);
  const address = mail.isOn ? lastingAddress(page, appUrl) : null;
  if (address === null) throw notFound('Status page');
  return { page, address };
}
