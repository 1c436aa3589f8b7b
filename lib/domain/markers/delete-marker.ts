import { requireFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** Deletes a marker. Throws FORBIDDEN, NOT_FOUND. */
export async function deleteMarker(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'marker.delete');
  const { organizationId } = ctx;
  await ctx.db.$transaction(async (tx) => {
    const row = requireFound(await tx.marker.findFirst({ where: { id, organizationId } }), 'Marker');
    const { count } = await tx.marker.deleteMany({ where: { id } });
    // Somebody else was faster.
    requireFound(count === 0 ? null : row, 'Marker');
    const before = { title: row.title, occurredAt: row.occurredAt.toISOString() };
    await recordAudit(tx, ctx, { action: 'marker.delete', subject: { id, label: row.title }, before });
  });
  return { message: 'Marker deleted' };
}
