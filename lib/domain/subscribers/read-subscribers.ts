import { DomainError } from '@/lib/core/errors';
import { writeCsvPages } from '@/lib/core/formats/csv';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { createdBefore, NEWEST_FIRST, pageOfCreated } from '@/lib/domain/context/newest-first';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { findOwnPage } from '@/lib/domain/status-pages/read-status-pages';
import type { PageSubscriber } from '@/lib/platform/db/generated/client';
import type { Cursor, Page } from '@/lib/schemas/query';
import type { Subscriber, SubscribersQuery } from '@/lib/schemas/status-pages/subscriber';

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
  const all = {
    pageId,
    ...(status === undefined ? {} : { confirmedAt: status === 'confirmed' ? { not: null } : null }),
  };
  const [total, rows] = await Promise.all([
    ctx.db.pageSubscriber.count({ where: all }),
    ctx.db.pageSubscriber.findMany({
      where: { ...all, ...createdBefore(cursor) },
      orderBy: NEWEST_FIRST,
      take: limit + 1,
    }),
  ]);
  return { ...pageOfCreated(rows, limit, serialize), total };
}

const COLUMNS = ['email', 'language', 'confirmedAt', 'createdAt', 'id', 'rows'] as const;
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

function serialize({ id, email, language, rowIds, confirmedAt, createdAt }: PageSubscriber): Subscriber {
  return {
    id,
    email,
    language,
    rows: rowIds,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** The number of confirmed subscribers by page ID, in one query; pages without any are omitted. */
export async function countSubscribers(ctx: OrganizationContext): Promise<Map<string, number>> {
  requirePermission(ctx, 'subscriber.read');
  const counted = await ctx.db.pageSubscriber.groupBy({
    by: ['pageId'],
    where: { confirmedAt: { not: null }, page: { organizationId: ctx.organizationId } },
    _count: true,
  });
  return new Map(counted.map(({ pageId, _count }) => [pageId, _count]));
}

/** Removes a subscriber without notifying them. Throws FORBIDDEN, and NOT_FOUND for the page or the subscriber. */
export async function removeSubscriber(
  ctx: OrganizationContext,
  slug: string,
  id: string,
): Promise<{ message: string }> {
  requirePermission(ctx, 'subscriber.remove');
  const { id: pageId } = await findOwnPage(ctx, slug);
  await ctx.db.$transaction(async (tx) => {
    const subscriber = await tx.pageSubscriber.findFirst({ where: { id, pageId }, select: { email: true } });
    const { count } = await tx.pageSubscriber.deleteMany({ where: { id, pageId } });
    if (subscriber === null || count === 0) throw new DomainError('NOT_FOUND', 'Subscriber not found.');
    const subject = { id, label: subscriber.email };
    await recordAudit(tx, ctx, { action: 'subscriber.remove', subject, before: { email: subscriber.email } });
  });
  return { message: 'Subscriber removed' };
}
