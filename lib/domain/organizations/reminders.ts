import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Reminders } from '@/lib/schemas/incidents/reminders';
import { lockOrganization } from './lock-organization';

const select = { name: true, reminderMinutes: true };

/** How often members are reminded of an incident that nobody has acknowledged. Throws FORBIDDEN. */
export async function readReminders(ctx: OrganizationContext): Promise<Reminders> {
  requirePermission(ctx, 'organization.read');
  const where = { id: ctx.organizationId };
  const { reminderMinutes } = await ctx.db.organization.findUniqueOrThrow({ where, select });
  return { reminderMinutes };
}

/** Changes that. The interval counts from the last email about each incident. Throws FORBIDDEN. */
export async function changeReminders(
  ctx: OrganizationContext,
  { reminderMinutes }: Reminders,
): Promise<void> {
  requirePermission(ctx, 'organization.change-reminders');
  const { organizationId: id, clock } = ctx;
  await ctx.db.$transaction(async (tx) => {
    await lockOrganization(tx, id);
    const { name, ...before } = await tx.organization.findUniqueOrThrow({ where: { id }, select });
    if (before.reminderMinutes === reminderMinutes) return;
    await tx.organization.update({ where: { id }, data: { reminderMinutes, updatedAt: clock.now() } });
    await recordAudit(tx, ctx, {
      action: 'organization.change-reminders',
      subject: { id, label: name },
      before,
      after: { reminderMinutes },
    });
  });
}
