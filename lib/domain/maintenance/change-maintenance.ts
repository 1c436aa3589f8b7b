import { invalidState, requireFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { inOrder, lockOwnStates } from '@/lib/domain/monitors/change-selected';
import { deleteCorrectionsOf } from '@/lib/domain/monitors/corrections/change-corrections';
import { requireMonitors } from '@/lib/domain/organizations/require-monitors';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import type { Maintenance, MaintenanceChanges } from '@/lib/schemas/maintenance';
import { requireSchedule } from './create-maintenance';
import { moveAfterwards, renameAfterwards, wasEnteredAfterwards } from './enter-afterwards';
import { notifyCanceled, notifyChange, notifyFinished } from './notify-subscribers';
import { nextOccurrence, type Schedule } from './occurrences';
import { readOpenOccurrence, replaceOccurrence } from './open-occurrence';
import {
  getMaintenance,
  type MaintenanceRow,
  maintenanceInclude,
  serializeMaintenance,
  subjectOf,
} from './read-maintenance';

/**
 * Changes the given fields; does nothing without fields. If the new schedule differs, a window starts or ends accordingly and
 * subscribers are notified. One that was entered afterwards moves what it corrects, and stays in the past. Throws FORBIDDEN, NOT_FOUND,
 * UNKNOWN_MONITOR, and VALIDATION_ERROR for inconsistent times, and as `createMaintenance` does for those of the past.
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
  requireExpectedVersion(ctx, current);
  const now = ctx.clock.now();
  const before = serializeMaintenance(current, now);
  const next = { ...current, ...changes };
  const isNewSchedule = !isSameSchedule(current, next);
  if (isNewSchedule) requireSchedule(next);
  const isNewList = monitors !== undefined && monitors.join() !== before.monitors.join();
  const isAfterwards = await wasEnteredAfterwards(tx, id);
  if (isAfterwards) await lockOwnStates(tx, ctx, [...before.monitors, ...(monitors ?? [])]);
  if (monitors) await requireMonitors(tx, ctx.organizationId, monitors);
  if (isAfterwards) {
    const entered = { ...next, monitors: monitors ?? before.monitors };
    if (isNewSchedule || isNewList) await moveAfterwards(tx, ctx, entered);
    else if (next.title !== current.title) await renameAfterwards(tx, entered);
  } else if (isNewSchedule) await reschedule(ctx, tx, { id, schedule: next, now });
  if (isNewList) await tx.maintenanceWindowMonitor.deleteMany({ where: { windowId: id } });
  const row = await tx.maintenanceWindow.update({
    where: { id },
    data: {
      ...changes,
      updatedAt: now,
      ...(isNewList
        ? { version: { increment: 1 }, monitors: { createMany: { data: inOrder(monitors) } } }
        : {}),
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

/** Ends a started occurrence that the new schedule does not continue; otherwise replaces the occurrence without a trace. */
async function reschedule(
  ctx: OrganizationContext,
  tx: Transaction,
  { id, schedule, now }: { id: string; schedule: Schedule; now: Date },
): Promise<void> {
  const open = await readOpenOccurrence(tx, id);
  const next = nextOccurrence(schedule, now);
  const hasStarted = open !== null && open.startsAt <= now;
  const continues = next !== null && next.startsAt <= now;
  const end = open !== null && open.endsAt < now ? open.endsAt : now;
  await replaceOccurrence(tx, ctx, id, { endedAt: hasStarted && !continues ? end : null, next });
}

/**
 * Ends the active occurrence of a window; a recurring window continues with its next occurrence. Throws FORBIDDEN, NOT_FOUND,
 * and VALIDATION_ERROR for a window that is not active.
 */
export async function endActiveMaintenance(ctx: OrganizationContext, id: string): Promise<Maintenance> {
  requirePermission(ctx, 'maintenance.update');
  return ctx.db.$transaction(async (tx) => {
    const schedule = await lockMaintenance(tx, ctx, id);
    const now = ctx.clock.now();
    const before = serializeMaintenance(schedule, now);
    const open = await readOpenOccurrence(tx, id);
    if (open === null || open.startsAt > now || open.endsAt <= now) {
      throw invalidState('This maintenance window is not active.');
    }
    const next = schedule.rrule === null ? null : nextOccurrence(schedule, open.endsAt);
    await replaceOccurrence(tx, ctx, id, { endedAt: now, next });
    // A window lasts at least a millisecond, even if it is ended as it starts.
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
 * Deletes a window with its past and what it corrects, and notifies subscribers; the engine ends an active occurrence within a
 * second. Throws FORBIDDEN, NOT_FOUND.
 */
export async function deleteMaintenance(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'maintenance.delete');
  await ctx.db.$transaction(async (tx) => {
    const row = await lockMaintenance(tx, ctx, id);
    requireExpectedVersion(ctx, row);
    const now = ctx.clock.now();
    const before = serializeMaintenance(row, now);
    await notifyFinished(tx, ctx, id, now);
    await notifyCanceled(tx, ctx, before, now);
    await deleteCorrectionsOf(tx, ctx, id);
    await tx.maintenanceWindow.delete({ where: { id } });
    await recordAudit(tx, ctx, { action: 'maintenance.delete', subject: subjectOf(before), before });
    await notePagesChanged(tx, { monitorIds: before.monitors });
    await notify(tx, 'pharos_deliveries');
  });
  return { message: 'Maintenance window deleted' };
}

/** Locks a window against the engine and other callers until the transaction ends. Throws NOT_FOUND. */
async function lockMaintenance(
  tx: Transaction,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Promise<MaintenanceRow> {
  const where = { id, organizationId };
  await tx.$queryRaw`
    SELECT 1 FROM maintenance_window WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
  const row = await tx.maintenanceWindow.findFirst({ where, include: maintenanceInclude });
  return requireFound(row, 'Maintenance window');
}
