import { recordAudits } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Transaction } from '@/lib/platform/db/client';
import { notePagesChanged } from '@/lib/platform/page-front/note-pages-changed';
import { followStates } from './follow-states';
import { findUnderMaintenance } from './in-maintenance';
import { switchPeriods } from './ledger';
import { lockSelected, type Selected } from './lock-selected';
import { scheduleAfresh, unschedule } from './probe-schedules';

/**
 * Pauses or resumes several monitors, all or none, as `updateMonitor` does one; those that are so already, and unknown ids,
 * are passed over. A fixed number of statements. Answers how many changed. Throws FORBIDDEN, and NOT_FOUND where the
 * organization has none of them.
 */
export async function setMonitorsEnabled(
  ctx: OrganizationContext,
  ids: string[],
  enabled: boolean,
): Promise<{ changed: number }> {
  requirePermission(ctx, 'monitor.update');
  return ctx.db.$transaction(async (tx) => {
    const selected = await lockSelected(tx, ctx, ids);
    const changing = selected.filter((monitor) => monitor.enabled !== enabled);
    if (changing.length > 0) await applyEnabled(ctx, tx, changing, enabled);
    return { changed: changing.length };
  });
}

async function applyEnabled(
  ctx: OrganizationContext,
  tx: Transaction,
  monitors: Selected[],
  enabled: boolean,
): Promise<void> {
  const now = ctx.clock.now();
  const ids = monitors.map(({ id }) => id);
  await tx.monitor.updateMany({
    where: { id: { in: ids } },
    data: { enabled, configVersion: { increment: 1 }, updatedAt: now },
  });
  const covered = enabled ? await findUnderMaintenance(tx, ids, now) : new Set<string>();
  await followStates(
    tx,
    monitors.map(({ id, configVersion }) => ({
      id,
      configVersion: configVersion + 1,
      restarts: enabled,
      pauses: !enabled,
      inMaintenance: covered.has(id),
    })),
    now,
  );
  if (enabled) await scheduleAfresh(tx, monitors, now);
  else await unschedule(tx, ids);
  const why = { rule: enabled ? 'monitoring was resumed' : 'monitoring was paused' };
  await switchPeriods(
    tx,
    ids.map((id) => {
      const running = covered.has(id) ? ('maintenance' as const) : ('pending' as const);
      return { monitorId: id, state: enabled ? running : 'paused', from: now, decidedAt: now, why };
    }),
  );
  await notePagesChanged(tx, { monitorIds: ids });
  await recordAudits(
    tx,
    ctx,
    monitors.map(({ id, name }) => ({
      action: 'monitor.update' as const,
      subject: { id, label: name },
      before: { enabled: !enabled },
      after: { enabled },
    })),
  );
}
