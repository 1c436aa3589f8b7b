import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { notePagesChanged } from '@/lib/platform/page-front/note-pages-changed';
import { lockIncident } from './lock-incident';

/** Deletes an incident with its updates and tells nobody; one that is to end is resolved. Throws FORBIDDEN, NOT_FOUND. */
export async function deleteIncident(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'incident.delete');
  await ctx.db.$transaction(async (tx) => {
    const { title, status, severity, affectedMonitors } = await lockIncident(tx, ctx, id);
    await notePagesChanged(tx, { monitorIds: affectedMonitors });
    await tx.incident.delete({ where: { id } });
    const before = { title, status, severity };
    await recordAudit(tx, ctx, { action: 'incident.delete', subject: { id, label: title }, before });
  });
  return { message: 'Incident deleted' };
}
