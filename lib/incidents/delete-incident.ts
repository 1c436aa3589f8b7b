import { recordAudit } from '@/lib/audit/record-audit';
import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import { lockIncident } from './lock-incident';

/** Deletes an incident with its updates and tells nobody; one that is to end is resolved. Throws FORBIDDEN, NOT_FOUND. */
export async function deleteIncident(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'incident.delete');
  await ctx.db.$transaction(async (tx) => {
    const { title, status, severity } = await lockIncident(tx, ctx, id);
    await tx.incident.delete({ where: { id } });
    const before = { title, status, severity };
    await recordAudit(tx, ctx, { action: 'incident.delete', subject: { id, label: title }, before });
  });
  return { message: 'Incident deleted' };
}
