import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { notify } from '@/lib/platform/db/notify';
import type { Maintenance } from '@/lib/schemas/maintenance';
import { lockMaintenance } from './lock-maintenance';
import { nextOccurrence } from './occurrences';
import { readOpenOccurrence, replaceOccurrence } from './open-occurrence';
import { maintenanceInclude, serializeMaintenance, subjectOf } from './serialize-maintenance';

/**
 * Ends what goes on of a window now; one that repeats goes on with its next occurrence. Throws FORBIDDEN, NOT_FOUND, and
 * CONFLICT for a window that is not active.
 */
export async function endActiveMaintenance(ctx: OrganizationContext, id: string): Promise<Maintenance> {
  requirePermission(ctx, 'maintenance.update');
  return ctx.db.$transaction(async (tx) => {
    const schedule = await lockMaintenance(tx, ctx, id);
    const now = ctx.clock.now();
    const before = serializeMaintenance(schedule, now);
    const open = await readOpenOccurrence(tx, id);
    if (open === null || open.startsAt > now || open.endsAt <= now) {
      throw new DomainError('CONFLICT', 'This maintenance window is not active.');
    }
    const next = schedule.rrule === null ? null : nextOccurrence(schedule, open.endsAt);
    await replaceOccurrence(tx, ctx, id, { endedAt: now, next });
    // A window has to last: one that is ended as it starts, for a millisecond.
    const endsAt = new Date(Math.max(now.getTime(), schedule.startsAt.getTime() + 1));
    const ended = schedule.rrule === null ? { endsAt } : {};
    const row = await tx.maintenanceWindow.update({
      where: { id },
      data: { ...ended, updatedAt: now },
      include: maintenanceInclude,
    });
    const after = serializeMaintenance(row, now);
    await recordAudit(tx, ctx, { action: 'maintenance.update', subject: subjectOf(after), before, after });
    await notify(tx, 'pharos_deliveries');
    return after;
  });
}
