import type { Services } from '@/lib/domain/context/services';
import { type PageRow, readPageRows } from '@/lib/domain/status-pages/page-row';
import { type EndpointSubscriber, type PageSubscriber, Prisma } from '@/lib/platform/db/generated/client';
import { isSlug } from '@/lib/schemas/status-pages/slug';
import type { ChosenRows } from '@/lib/schemas/status-pages/subscriber';
import { lockChosenRows } from './chosen-rows';
import { CONFIRM_DAYS, hashToken } from './confirmation-mail';
import {
  type ConfirmedEndpoint,
  confirmEndpoint,
  type SubscribedEndpoint,
  serializeEndpoint,
} from './endpoints/endpoint-subscription';
import { recordUnsubscribed } from './unsubscribed';

const DAY = 86_400_000;

type Confirmation = { pageId: string; token: string };

/** What a subscriber can see and change of their subscription. */
export type Subscription = {
  email: string;
  language: string;
  rows: ChosenRows;
  /** All rows that they chose have left the page, so they are notified of all. */
  isChoiceGone: boolean;
  /** Null: by email. */
  endpoint: SubscribedEndpoint | null;
};

/**
 * The page and the subscription of a subscriber who has followed a verified link, even if the page was unpublished or renamed. If they
 * are no longer subscribed, the public page at `slug`, if any.
 */
export async function findSubscription(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, slug }: { id: string; slug: string },
): Promise<{ page: PageRow | null; subscription: Subscription | null }> {
  const where = { id };
  const byEmail = await db.pageSubscriber.findUnique({ where });
  const atUrl = byEmail ? null : await db.endpointSubscriber.findUnique({ where });
  const subscriber = byEmail ?? atUrl;
  const [page = null] = await readPageRows(
    db,
    subscriber
      ? Prisma.sql`id = ${subscriber.pageId}`
      : Prisma.sql`slug = ${isSlug(slug) ? slug : ''} AND published AND visibility = 'public'`,
  );
  const endpoint = atUrl && serializeEndpoint(atUrl, clock.now());
  return { page, subscription: subscriber && { ...serialize(subscriber), endpoint } };
}

function serialize({ email, language, rowIds, choseRows }: PageSubscriber | EndpointSubscriber) {
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
    const one = { where: { id }, select: { pageId: true } };
    const found = (await tx.pageSubscriber.findUnique(one)) ?? (await tx.endpointSubscriber.findUnique(one));
    if (found === null) return;
    await tx.$queryRaw`SELECT id FROM status_page WHERE id = ${found.pageId} FOR KEY SHARE`;
    const data = { language, ...(await lockChosenRows(tx, found.pageId, rows)) };
    await tx.pageSubscriber.updateMany({ where: { id }, data });
    await tx.endpointSubscriber.updateMany({ where: { id }, data });
  });
}

/** What a valid confirmation link would confirm: requested within 7 days, or already confirmed. Null for any other link. */
export async function findConfirmable(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  confirmation: Confirmation,
): Promise<{ host: string | null } | null> {
  const where = confirmable(confirmation, clock.now());
  if ((await db.pageSubscriber.count({ where })) > 0) return { host: null };
  return db.endpointSubscriber.findFirst({ where, select: { host: true } });
}

/**
 * Confirms a subscription with the token of the latest confirmation email. Idempotent. Returns what it confirmed, with the secret of a new webhook; `full` as
 * `confirmEndpoint` does; null if the link is not valid.
 */
export async function confirmSubscription(
  services: Services,
  confirmation: Confirmation,
): Promise<{ endpoint: ConfirmedEndpoint | null } | 'full' | null> {
  const { db, clock } = services;
  const now = clock.now();
  const where = confirmable(confirmation, now);
  await db.pageSubscriber.updateMany({ where: { ...where, confirmedAt: null }, data: { confirmedAt: now } });
  if ((await db.pageSubscriber.count({ where })) > 0) return { endpoint: null };
  const { pageId } = confirmation;
  return db.$transaction(async (tx) => {
    const found = await tx.endpointSubscriber.findFirst({ where, select: { id: true } });
    const endpoint = found && (await confirmEndpoint(tx, services, { id: found.id, pageId }));
    return endpoint === 'full' ? endpoint : endpoint && { endpoint };
  });
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
export async function unsubscribe({ db, clock }: Pick<Services, 'db' | 'clock'>, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const [ended] = await tx.$queryRaw<{ pageId: string; email: string }[]>`
      DELETE FROM page_subscriber WHERE id = ${id} RETURNING page_id AS "pageId", email`;
    if (ended) await recordUnsubscribed(tx, { ...ended, at: clock.now() });
  });
  await db.endpointSubscriber.deleteMany({ where: { id } });
}
