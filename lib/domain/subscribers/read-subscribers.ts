import { DomainError } from '@/lib/core/errors';
import { writeCsvPages } from '@/lib/core/formats/csv';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { createdBefore, NEWEST_FIRST, pageOfCreated } from '@/lib/domain/context/newest-first';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { findOwnPage } from '@/lib/domain/status-pages/read-status-pages';
import type { EndpointSubscriber, PageSubscriber } from '@/lib/platform/db/generated/client';
import type { Cursor, Page } from '@/lib/schemas/cursor';
import type { Subscriber, SubscribersQuery } from '@/lib/schemas/status-pages/subscriber';
import { recordUnsubscribed } from './unsubscribed';

/**
 * A page of the subscribers of a status page, newest first, with the total number. Throws FORBIDDEN, and NOT_FOUND for an
 * unknown slug or another organization's page.
 */
export async function listSubscribers(
  ctx: OrganizationContext,
  slug: string,
  { status, limit, cursor }: SubscribersQuery,
): Promise<Page<Subscriber> & { total: number }> {
  requirePermission(ctx, 'subscriber.read');
  const { id: pageId } = await findOwnPage(ctx, slug);
  const where = {
    pageId,
    ...(status === undefined ? {} : { confirmedAt: status === 'confirmed' ? { not: null } : null }),
  };
  const page = { where: { ...where, ...createdBefore(cursor) }, orderBy: NEWEST_FIRST, take: limit + 1 };
  const [byEmail, atUrls, mailed, posted] = await Promise.all([
    ctx.db.pageSubscriber.count({ where }),
    ctx.db.endpointSubscriber.count({ where }),
    ctx.db.pageSubscriber.findMany(page),
    ctx.db.endpointSubscriber.findMany(page),
  ]);
  const rows = [...mailed, ...posted].toSorted(
    (one, other) =>
      other.createdAt.getTime() - one.createdAt.getTime() || (other.number > one.number ? 1 : -1),
  );
  return { ...pageOfCreated(rows.slice(0, limit + 1), limit, serialize), total: byEmail + atUrls };
}

const COLUMNS = ['email', 'language', 'confirmedAt', 'createdAt', 'id', 'rows', 'channel', 'host'] as const;
/** Subscribers per part of an export. */
const EXPORT_PAGE = 1000;

/**
 * The subscribers of a status page as CSV (RFC 4180, UTF-8), newest first, streamed in parts so that memory does not grow with them. Cells
 * that a spreadsheet would interpret as formulas get an apostrophe prefix. Throws FORBIDDEN and NOT_FOUND before the first part.
 */
export async function exportSubscribers(
  ctx: OrganizationContext,
  slug: string,
  { status }: Pick<SubscribersQuery, 'status'>,
  { pageSize = EXPORT_PAGE }: { pageSize?: number } = {},
): Promise<AsyncGenerator<string>> {
  requirePermission(ctx, 'subscriber.read');
  await findOwnPage(ctx, slug);
  return writeCsvPages(
    COLUMNS,
    (cursor?: Cursor) => listSubscribers(ctx, slug, { status, limit: pageSize, cursor }),
    ({ rows, ...subscriber }) =>
      COLUMNS.map((column) => (column === 'rows' ? rows.join(' ') : subscriber[column])),
  );
}

function serialize(row: PageSubscriber | EndpointSubscriber): Subscriber {
  const { id, email, language, rowIds, confirmedAt, createdAt } = row;
  return {
    id,
    channel: 'channel' in row ? (row.channel === 'slack' ? 'slack' : 'webhook') : 'email',
    email,
    host: 'host' in row ? row.host : null,
    language,
    rows: rowIds,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    stoppedAt: 'stoppedAt' in row ? (row.stoppedAt?.toISOString() ?? null) : null,
    createdAt: createdAt.toISOString(),
  };
}

/** The number of confirmed subscribers by page ID; pages without any are omitted. */
export async function countSubscribers(ctx: OrganizationContext): Promise<Map<string, number>> {
  requirePermission(ctx, 'status-page.read');
  const where = { confirmedAt: { not: null }, page: { organizationId: ctx.organizationId } };
  const [byEmail, atUrls] = await Promise.all([
    ctx.db.pageSubscriber.groupBy({ by: ['pageId'], where, _count: true }),
    ctx.db.endpointSubscriber.groupBy({ by: ['pageId'], where, _count: true }),
  ]);
  const counts = new Map<string, number>();
  for (const { pageId, _count } of [...byEmail, ...atUrls]) {
    counts.set(pageId, (counts.get(pageId) ?? 0) + _count);
  }
  return counts;
}

/** Removes a subscriber without notifying them; an import cannot declare the address as confirmed again. Throws FORBIDDEN, and NOT_FOUND for the page or the subscriber. */
export async function removeSubscriber(
  ctx: OrganizationContext,
  slug: string,
  id: string,
): Promise<{ message: string }> {
  requirePermission(ctx, 'subscriber.remove');
  const { id: pageId } = await findOwnPage(ctx, slug);
  await ctx.db.$transaction(async (tx) => {
    const one = { where: { id, pageId }, select: { email: true } };
    const subscriber =
      (await tx.pageSubscriber.findFirst(one)) ?? (await tx.endpointSubscriber.findFirst(one));
    const { where } = one;
    const { count: byEmail } = await tx.pageSubscriber.deleteMany({ where });
    const { count: atUrl } = await tx.endpointSubscriber.deleteMany({ where });
    if (subscriber === null || byEmail + atUrl === 0)
      throw new DomainError('NOT_FOUND', 'Subscriber not found.');
    if (byEmail > 0) await recordUnsubscribed(tx, { pageId, email: subscriber.email, at: ctx.clock.now() });
    const subject = { id, label: subscriber.email };
    await recordAudit(tx, ctx, { action: 'subscriber.remove', subject, before: { email: subscriber.email } });
  });
  return { message: 'Subscriber removed' };
}
