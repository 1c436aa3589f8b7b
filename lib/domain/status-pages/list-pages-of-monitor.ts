import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** A status page as other pages name it. */
export type PageName = { slug: string; name: string; published: boolean };

/** The organization's status pages on which a monitor stands, by name. */
export async function listPagesOfMonitor(ctx: OrganizationContext, monitorId: string): Promise<PageName[]> {
  requirePermission(ctx, 'status-page.read');
  const { organizationId } = ctx;
  return ctx.db.statusPage.findMany({
    where: { organizationId, monitors: { some: { monitorId } } },
    select: { slug: true, name: true, published: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
}
