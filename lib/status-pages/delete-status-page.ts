import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import { notePageMoved } from '@/lib/page-changes/note-pages-changed';
import { isSlug } from '@/lib/schemas/status-page';
import { statusPageNotFound } from './read-status-pages';

/** Deletes a status page for good; its slug and domain are free again. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteStatusPage(ctx: OrganizationContext, slug: string): Promise<{ message: string }> {
  requirePermission(ctx, 'status-page.delete');
  if (!isSlug(slug)) throw statusPageNotFound();
  await ctx.db.$transaction(async (tx) => {
    const [deleted] = await tx.$queryRaw<{ id: string }[]>`
      DELETE FROM status_page WHERE slug = ${slug} AND organization_id = ${ctx.organizationId} RETURNING id`;
    if (deleted === undefined) throw statusPageNotFound();
    await notePageMoved(tx, deleted.id);
  });
  return { message: 'Status page deleted' };
}
