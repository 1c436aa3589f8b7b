import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import { isSlug } from '@/lib/schemas/status-page';
import { statusPageNotFound } from './read-status-pages';

/** Deletes a status page for good; its slug and domain are free again. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteStatusPage(ctx: OrganizationContext, slug: string): Promise<{ message: string }> {
  requirePermission(ctx, 'status-page.delete');
  const { organizationId } = ctx;
  const { count } = isSlug(slug)
    ? await ctx.db.statusPage.deleteMany({ where: { slug, organizationId } })
    : { count: 0 };
  if (count === 0) throw statusPageNotFound();
  return { message: 'Status page deleted' };
}
