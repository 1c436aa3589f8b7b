import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { inOrder, requireMonitors } from '@/lib/domain/monitors/chosen-monitors';
import { writePageNotices } from '@/lib/domain/notices/write-page-notices';
import { notify } from '@/lib/platform/db/notify';
import { notePagesChanged } from '@/lib/platform/page-front/note-pages-changed';
import type { CreateMaintenance, Maintenance } from '@/lib/schemas/maintenance';
import { nextOccurrence } from './occurrences';
import { invalid, requireSchedule } from './require-schedule';
import { maintenanceInclude, serializeMaintenance, subjectOf } from './serialize-maintenance';
import { maintenanceNotice } from './tell-maintenance';

/**
 * Makes a maintenance window; the engine begins one that has started already within a second. Throws FORBIDDEN,
 * UNKNOWN_MONITOR, and VALIDATION_ERROR for moments that do not fit each other or are all past.
 */
export async function createMaintenance(
  ctx: OrganizationContext,
  input: CreateMaintenance,
): Promise<Maintenance> {
  requirePermission(ctx, 'maintenance.create');
  const { organizationId } = ctx;
  const { monitors, ...columns } = input;
  const now = ctx.clock.now();
  requireSchedule(input);
  const first = nextOccurrence(input, now);
  if (first === null) throw invalid(input.rrule === null ? 'endsAt' : 'rrule', 'must end in the future');
  return ctx.db.$transaction(async (tx) => {
    await requireMonitors(tx, organizationId, monitors);
    const row = await tx.maintenanceWindow.create({
      data: {
        id: createId('maintenance'),
        organizationId,
        ...columns,
        createdAt: now,
        updatedAt: now,
        monitors: { createMany: { data: inOrder(monitors) } },
        occurrences: { create: first },
      },
      include: maintenanceInclude,
    });
    const made = serializeMaintenance(row, now);
    if (first.startsAt > now) {
      const notice = maintenanceNotice('maintenance.planned', { ...row, monitors, ...first }, now);
      await writePageNotices(tx, ctx, [notice]);
    }
    await recordAudit(tx, ctx, { action: 'maintenance.create', subject: subjectOf(made), after: made });
    await notePagesChanged(tx, { monitorIds: monitors });
    await notify(tx, 'pharos_deliveries');
    return made;
  });
}
