import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockIncident } from './change-incident';
import { changePublishedOn, readPublishedOn } from './publish-incidents';

/**
 * Publishes an automatic incident on a page, or hides it there; other pages are not changed, whatever others do at the same time. Throws
 * FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR if the incident is not automatic or the organization has no such page.
 */
export async function changePublication(
  ctx: OrganizationContext,
  id: string,
  { pageId, isPublished }: { pageId: string; isPublished: boolean },
): Promise<void> {
  requirePermission(ctx, 'incident.update');
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const incident = await lockIncident(tx, ctx, id);
    const before = await readPublishedOn(tx, id);
    const others = before.filter((other) => other !== pageId);
    const pageIds = isPublished ? [...others, pageId] : others;
    const published = await changePublishedOn(tx, ctx, incident, { before, pageIds, now });
    if (published === null) return;
    await recordAudit(tx, ctx, {
      action: 'incident.update',
      subject: { id, label: incident.title },
      before: { publishedOn: published.before },
      after: { publishedOn: published.after },
    });
  });
}
