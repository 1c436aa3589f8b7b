import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { OrganizationName } from '@/lib/schemas/organization';
import { lockOrganization } from './lock-organization';

/** Gives the organization another name; the same one again changes nothing. Throws FORBIDDEN. */
export async function renameOrganization(
  ctx: OrganizationContext,
  { name }: OrganizationName,
): Promise<void> {
  requirePermission(ctx, 'organization.rename');
  const { organizationId: id, clock } = ctx;
  await ctx.db.$transaction(async (tx) => {
    await lockOrganization(tx, id);
    const before = await tx.organization.findUniqueOrThrow({ where: { id }, select: { name: true } });
    if (before.name === name) return;
    await tx.organization.update({ where: { id }, data: { name, updatedAt: clock.now() } });
    const subject = { id, label: name };
    await recordAudit(tx, ctx, { action: 'organization.rename', subject, before, after: { name } });
  });
}
