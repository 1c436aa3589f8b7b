import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { findOwnPage } from './read-subscribers';

/** Ends a subscription for its page's owner; nobody is told. Throws FORBIDDEN, and NOT_FOUND for the page or the subscriber. */
export async function removeSubscriber(
  ctx: OrganizationContext,
  slug: string,
  id: string,
): Promise<{ message: string }> {
  requirePermission(ctx, 'subscriber.remove');
  const pageId = await findOwnPage(ctx, slug);
  await ctx.db.$transaction(async (tx) => {
    const subscriber = await tx.pageSubscriber.findFirst({ where: { id, pageId }, select: { email: true } });
    const { count } = await tx.pageSubscriber.deleteMany({ where: { id, pageId } });
    if (subscriber === null || count === 0) {
      throw new DomainError('NOT_FOUND', 'There is no such subscriber.');
    }
    const subject = { id, label: subscriber.email };
    await recordAudit(tx, ctx, { action: 'subscriber.remove', subject, before: { email: subscriber.email } });
  });
  return { message: 'Subscriber removed' };
}
