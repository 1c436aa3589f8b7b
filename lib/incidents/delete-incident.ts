import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import { lockIncident } from './lock-incident';

/** Deletes an incident with its updates and tells nobody; one that is to end is resolved. Throws FORBIDDEN, NOT_FOUND. */
export async function deleteIncident(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'incident.delete');
  await ctx.db.$transaction(async (tx) => {
    await lockIncident(tx, ctx, id);
    await tx.incident.delete({ where: { id } });
  });
  return { message: 'Incident deleted' };
}
