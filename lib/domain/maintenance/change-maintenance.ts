import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { inOrder, requireMonitors } from '@/lib/domain/monitors/change-selected';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import type { Maintenance, MaintenanceChanges } from '@/lib/schemas/maintenance';
import { requireSchedule } from './create-maintenance';
import { notifyCanceled, notifyChange, notifyFinished } from './notify-subscribers';
import { nextOccurrence, type Schedule } from './occurrences';
import { readOpenOccurrence, replaceOccurrence } from './open-occurrence';
import {
  getMaintenance,
  type MaintenanceRow,
  maintenanceInclude,
  maintenanceNotFound,
  serializeMaintenance,
  subjectOf,
} from './read-maintenance';

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
  await notifyChange(tx, ctx, { before, after }, now);
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

/**
 * Deletes a window with its past; the engine ends what goes on of it within a second, and subscribers
 * are told that what was planned is not to be. Throws FORBIDDEN, NOT_FOUND.
 */
export async function deleteMaintenance(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'maintenance.delete');
  await ctx.db.$transaction(async (tx) => {
    const row = await lockMaintenance(tx, ctx, id);
    const now = ctx.clock.now();
    const before = serializeMaintenance(row, now);
    await notifyFinished(tx, ctx, id, now);
    await notifyCanceled(tx, ctx, before, now);
    await tx.maintenanceWindow.delete({ where: { id } });
    await recordAudit(tx, ctx, { action: 'maintenance.delete', subject: subjectOf(before), before });
    await notePagesChanged(tx, { monitorIds: before.monitors });
    await notify(tx, 'pharos_deliveries');
  });
  return { message: 'Maintenance window deleted' };
}

/** Locks a window until the transaction ends, so that neither the engine nor another caller moves it on. Throws NOT_FOUND. */
async function lockMaintenance(
  tx: Transaction,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Promise<MaintenanceRow> {
  const where = { id, organizationId };
  await tx.$queryRaw`
    SELECT 1 FROM maintenance_window WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
  const row = await tx.maintenanceWindow.findFirst({ where, include: maintenanceInclude });
  if (row === null) throw maintenanceNotFound();
  return row;
}
