import type { Keyring } from '@/lib/core/keyring';
import { isSameText } from '@/lib/core/same-text';
import type { Services } from '@/lib/domain/context/services';
import { type PageRow, readPageRows } from '@/lib/domain/status-pages/page-row';
import { Prisma } from '@/lib/platform/db/generated/client';
import { isSlug } from '@/lib/schemas/status-page';
import { CONFIRM_DAYS, hashToken } from './subscribe';

const DAY = 86_400_000;

type Asked = { pageId: string; token: string };

/**
 * Finds what the link of a mail is about, for who has shown that it is theirs: their page, hidden or renamed meanwhile as it
 * may be. Once they are not subscribed any more it is the published page at `slug`, if there is one.
 */
export async function findSubscription(
  { db }: Pick<Services, 'db'>,
  { id, slug }: { id: string; slug: string },
): Promise<{ page: PageRow | null; isSubscribed: boolean }> {
  const subscriber = await db.pageSubscriber.findUnique({ where: { id }, select: { pageId: true } });
  const where = subscriber
    ? Prisma.sql`id = ${subscriber.pageId}`
    : Prisma.sql`slug = ${isSlug(slug) ? slug : ''} AND published`;
  const [page = null] = await readPageRows(db, where);
  return { page, isSubscribed: subscriber !== null };
}

/** Whether a link to confirm still leads to something: asked for within 7 days, or confirmed already. Changes nothing. */
export async function isConfirmable(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  asked: Asked,
): Promise<boolean> {
  return (await db.pageSubscriber.count({ where: confirmable(asked, clock.now()) })) > 0;
}

/** Confirms a subscription by the token of the last mail that asked for it; again, it changes nothing. Answers whether it is confirmed. */
export async function confirmSubscription(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  asked: Asked,
): Promise<boolean> {
  const now = clock.now();
  await db.pageSubscriber.updateMany({
    where: { ...confirmable(asked, now), confirmedAt: null },
    data: { confirmedAt: now },
  });
  const where = { pageId: asked.pageId, tokenHash: hashToken(asked.token), confirmedAt: { not: null } };
  return (await db.pageSubscriber.count({ where })) > 0;
}

function confirmable({ pageId, token }: Asked, now: Date) {
  const since = new Date(now.getTime() - CONFIRM_DAYS * DAY);
  return {
    pageId,
    tokenHash: hashToken(token),
    OR: [{ confirmedAt: { not: null } }, { requestedAt: { gte: since } }],
  };
}

/** Ends a subscription for who followed the link in its mails; who is not subscribed any more stays so. */
export async function unsubscribe({ db }: Pick<Services, 'db'>, id: string): Promise<void> {
  await db.pageSubscriber.deleteMany({ where: { id } });
}

/**
 * The address that ends a subscription: a page for a visit, the end of it for an RFC 8058 POST. Its token is a MAC of the
 * subscriber's id, so that every mail can carry it and no table has to; it holds for as long as the key it
 * was made under is SECRET_KEY or named in PREVIOUS_SECRET_KEYS.
 */
export function unsubscribeUrl(keyring: Keyring, address: string, subscriberId: string): string {
  const query = new URLSearchParams({ id: subscriberId, token: keyring.derive(purpose(subscriberId)) });
  return `${address}/unsubscribe?${query}`;
}

/** Whether `token` is the one that mails to a subscriber carry. */
export function isUnsubscribeToken(keyring: Keyring, { id, token }: { id: string; token: string }): boolean {
  return keyring.deriveAll(purpose(id)).some((expected) => isSameText(token, expected));
}

function purpose(subscriberId: string): string {
  return `unsubscribe ${subscriberId}`;
}
