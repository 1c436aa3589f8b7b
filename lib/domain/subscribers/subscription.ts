import type { Keyring } from '@/lib/core/keyring';
import { isSameText } from '@/lib/core/same-text';
import type { Services } from '@/lib/domain/context/services';
import { type PageRow, readPageRows } from '@/lib/domain/status-pages/page-row';
import { type PageSubscriber, Prisma } from '@/lib/platform/db/generated/client';
import { isSlug } from '@/lib/schemas/status-pages/slug';
import type { ChosenRows } from '@/lib/schemas/status-pages/subscriber';
import { lockChosenRows } from './chosen-rows';
import { CONFIRM_DAYS, hashToken } from './confirmation-mail';

const DAY = 86_400_000;

type Confirmation = { pageId: string; token: string };

/** What a subscriber can see and change of their subscription. */
export type Subscription = {
  email: string;
  language: string;
  rows: ChosenRows;
  /** All rows that they chose have left the page, so they are notified of all. */
  isChoiceGone: boolean;
};

/**
 * The page and the subscription of a subscriber who has followed a verified link, even if the page was unpublished or renamed. If they
 * are no longer subscribed, the public page at `slug`, if any.
 */
export async function findSubscription(
  { db }: Pick<Services, 'db'>,
  { id, slug }: { id: string; slug: string },
): Promise<{ page: PageRow | null; subscription: Subscription | null }> {
  const subscriber = await db.pageSubscriber.findUnique({ where: { id } });
  const where = subscriber
    ? Prisma.sql`id = ${subscriber.pageId}`
    : Prisma.sql`slug = ${isSlug(slug) ? slug : ''} AND published AND visibility = 'public'`;
  const [page = null] = await readPageRows(db, where);
  return { page, subscription: subscriber && serialize(subscriber) };
}

function serialize({ email, language, rowIds, choseRows }: PageSubscriber): Subscription {
  const isChoiceGone = choseRows && rowIds.length === 0;
  return { email, language, rows: choseRows && !isChoiceGone ? rowIds : null, isChoiceGone };
}

/** Changes what a subscriber is notified of, and in which language. Does nothing if they are no longer subscribed. */
export async function changeSubscription(
  { db }: Pick<Services, 'db'>,
  id: string,
  { language, rows }: { language: string; rows: ChosenRows },
): Promise<void> {
  await db.$transaction(async (tx) => {
    const found = await tx.pageSubscriber.findUnique({ where: { id }, select: { pageId: true } });
    if (found === null) return;
    await tx.$queryRaw`SELECT id FROM status_page WHERE id = ${found.pageId} FOR KEY SHARE`;
    const chosen = await lockChosenRows(tx, found.pageId, rows);
    await tx.pageSubscriber.updateMany({ where: { id }, data: { language, ...chosen } });
  });
}

/** Whether a confirmation link is valid: requested within 7 days, or already confirmed. */
export async function isConfirmable(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  confirmation: Confirmation,
): Promise<boolean> {
  return (await db.pageSubscriber.count({ where: confirmable(confirmation, clock.now()) })) > 0;
}

/** Confirms a subscription with the token of the latest confirmation email. Idempotent. Returns whether it is confirmed. */
export async function confirmSubscription(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  confirmation: Confirmation,
): Promise<boolean> {
  const now = clock.now();
  await db.pageSubscriber.updateMany({
    where: { ...confirmable(confirmation, now), confirmedAt: null },
    data: { confirmedAt: now },
  });
  const { pageId, token } = confirmation;
  const where = { pageId, tokenHash: hashToken(token), confirmedAt: { not: null } };
  return (await db.pageSubscriber.count({ where })) > 0;
}

function confirmable({ pageId, token }: Confirmation, now: Date) {
  const since = new Date(now.getTime() - CONFIRM_DAYS * DAY);
  return {
    pageId,
    tokenHash: hashToken(token),
    OR: [{ confirmedAt: { not: null } }, { requestedAt: { gte: since } }],
  };
}

/** Ends a subscription. Idempotent. The caller has verified the token. */
export async function unsubscribe({ db }: Pick<Services, 'db'>, id: string): Promise<void> {
  await db.pageSubscriber.deleteMany({ where: { id } });
}

/**
 * The unsubscribe URL: for a visit the page where a subscriber manages the subscription, one-click for an RFC 8058 POST. Its token is a MAC of the subscriber's ID, so it is
 * not stored; it is valid while its key is SECRET_KEY or in PREVIOUS_SECRET_KEYS.
 */
export function unsubscribeUrl(keyring: Keyring, address: string, subscriberId: string): string {
  const query = new URLSearchParams({ id: subscriberId, token: keyring.derive(purpose(subscriberId)) });
  return `${address}/unsubscribe?${query}`;
}

/** Whether `token` is the token in the links of a subscriber. */
export function isUnsubscribeToken(keyring: Keyring, { id, token }: { id: string; token: string }): boolean {
  return keyring.deriveAll(purpose(id)).some((expected) => isSameText(token, expected));
}

function purpose(subscriberId: string): string {
  return `unsubscribe ${subscriberId}`;
}
