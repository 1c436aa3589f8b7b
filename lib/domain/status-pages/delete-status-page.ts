import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notePageMoved } from '@/lib/platform/page-front/note-pages-changed';
import { isSlug } from '@/lib/schemas/status-page';
import { auditedFields, auditSubject } from './audited-page';
import { readPageRows } from './page-row';
import { statusPageNotFound } from './read-status-pages';

/** Deletes a status page for good; its slug and domain are free again. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteStatusPage(ctx: OrganizationContext, slug: string): Promise<{ message: string }> {
  requirePermission(ctx, 'status-page.delete');
  const { organizationId } = ctx;
  if (!isSlug(slug)) throw statusPageNotFound();
  await ctx.db.$transaction(async (tx) => {
    const isOwn = Prisma.sql`slug = ${slug} AND organization_id = ${organizationId}`;
    const [row] = await readPageRows(tx, isOwn);
    const { count } = await tx.statusPage.deleteMany({ where: { slug, organizationId } });
    if (row === undefined || count === 0) throw statusPageNotFound();
    const subject = auditSubject(row);
    await recordAudit(tx, ctx, { action: 'status-page.delete', subject, before: auditedFields(row) });
    await notePageMoved(tx, row.id);
  });
  return { message: 'Status page deleted' };
}
