import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { inOrder, requireMonitors } from '@/lib/domain/monitors/chosen-monitors';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/notify';
import { notePagesChanged } from '@/lib/platform/page-front/note-pages-changed';
import type { Maintenance, MaintenanceChanges } from '@/lib/schemas/maintenance';
import { lockMaintenance } from './lock-maintenance';
import { nextOccurrence, type Schedule } from './occurrences';
import { readOpenOccurrence, replaceOccurrence } from './open-occurrence';
import { getMaintenance } from './read-maintenance';
import { requireSchedule } from './require-schedule';
import { maintenanceInclude, serializeMaintenance, subjectOf } from './serialize-maintenance';
import { tellChange } from './tell-change';

/**
 * Changes the fields given; no fields change nothing. A window that goes on ends where its new schedule says that it does
 * not, and begins in the same way; subscribers are told of another time. Throws FORBIDDEN, NOT_FOUND, UNKNOWN_MONITOR, and VALIDATION_ERROR for moments that do
 * not fit each other.
 */
export async function updateMaintenance(
  ctx: OrganizationContext,
  id: string,
  changes: MaintenanceChanges,
): Promise<Maintenance> {
  requirePermission(ctx, 'maintenance.update');
  if (Object.keys(changes).length > 0) await ctx.db.$transaction((tx) => applyChanges(ctx, tx, id, changes));
  return getMaintenance(ctx, id);
}

async function applyChanges(
  ctx: OrganizationContext,
  tx: Transaction,
  id: string,
  { monitors, ...changes }: MaintenanceChanges,
): Promise<void> {
  const current = await lockMaintenance(tx, ctx, id);
  const now = ctx.clock.now();
  const before = serializeMaintenance(current, now);
  const next = { ...current, ...changes };
  if (!isSameSchedule(current, next)) {
    requireSchedule(next);
    await reschedule(ctx, tx, { id, schedule: next, now });
  }
  if (monitors) {
    await requireMonitors(tx, ctx.organizationId, monitors);
    await tx.maintenanceWindowMonitor.deleteMany({ where: { windowId: id } });
  }
  const row = await tx.maintenanceWindow.update({
    where: { id },
    data: {
      ...changes,
      updatedAt: now,
      ...(monitors ? { monitors: { createMany: { data: inOrder(monitors) } } } : {}),
    },
    include: maintenanceInclude,
  });
  const after = serializeMaintenance(row, now);
  await tellChange(tx, ctx, { before, after }, now);
  await recordAudit(tx, ctx, { action: 'maintenance.update', subject: subjectOf(after), before, after });
  await notePagesChanged(tx, { monitorIds: [...before.monitors, ...after.monitors] });
  await notify(tx, 'pharos_deliveries');
}

function isSameSchedule(a: Schedule, b: Schedule): boolean {
  return (
    a.startsAt.getTime() === b.startsAt.getTime() &&
    a.endsAt.getTime() === b.endsAt.getTime() &&
    a.rrule === b.rrule &&
    a.timeZone === b.timeZone
  );
}

/** What has begun and goes on no more is past; what goes on in other limits, or has not begun, is as if it had always been so. */
async function reschedule(
  ctx: OrganizationContext,
  tx: Transaction,
  { id, schedule, now }: { id: string; schedule: Schedule; now: Date },
): Promise<void> {
  const open = await readOpenOccurrence(tx, id);
  const next = nextOccurrence(schedule, now);
  const hasBegun = open !== null && open.startsAt <= now;
  const goesOn = next !== null && next.startsAt <= now;
  const end = open !== null && open.endsAt < now ? open.endsAt : now;
  await replaceOccurrence(tx, ctx, id, { endedAt: hasBegun && !goesOn ? end : null, next });
}
