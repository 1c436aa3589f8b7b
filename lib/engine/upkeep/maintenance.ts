import { MAINTENANCE_BEGAN, MAINTENANCE_ENDED, switchPeriods } from '@/lib/domain/monitors/ledger';
import { type AdvanceServices, advanceMonitors } from '@/lib/engine/checks/advance-monitors';
import { type LockedMonitor, lockMonitors, writeStates } from '@/lib/engine/checks/monitor-states';
import type { Transaction } from '@/lib/platform/db/client';
import type { Hint } from '@/lib/platform/live/hint';
import { noteLive } from '@/lib/platform/live/note-live';
import { notePagesChanged } from '@/lib/platform/page-front/note-pages-changed';
import { enterMaintenance, leaveMaintenance } from '@/lib/state/maintenance';

/**
 * Puts monitors into maintenance: checks go on, the ledger counts maintenance, nobody is told of anything. Those that are
 * in it already, and paused ones, stay as they are.
 */
export async function beginMaintenance(tx: Transaction, monitorIds: string[], now: Date): Promise<void> {
  const monitors = await lockMonitors(tx, monitorIds, now);
  const entering = monitors.filter((monitor) => monitor.statusBeforeMaintenance === null);
  if (entering.length === 0) return;
  await tx.$executeRaw`
    UPDATE monitor_state SET status_before_maintenance = status
     WHERE monitor_id = ANY(${entering.map(({ id }) => id)})`;
  await writeStates(
    tx,
    entering.map((monitor) => {
      return { monitor, state: enterMaintenance(monitor.state, now.getTime()), observation: null };
    }),
  );
  const period = {
    state: 'maintenance' as const,
    from: now,
    decidedAt: now,
    why: { rule: MAINTENANCE_BEGAN },
  };
  await switchPeriods(
    tx,
    entering.map(({ id }) => ({ ...period, monitorId: id })),
  );
  await notePagesChanged(tx, { monitorIds: entering.map(({ id }) => id) });
  await noteLive(tx, [changesOf(entering)]);
}

/**
 * Takes monitors out of maintenance. Where the status is not what people were told before it, it is taken over and told
 * now, or with the next checks if it is not settled.
 */
export async function endMaintenance(
  tx: Transaction,
  services: AdvanceServices,
  monitorIds: string[],
  now: Date,
): Promise<void> {
  const monitors = await lockMonitors(tx, monitorIds, now);
  const leaving = monitors.flatMap((monitor) => {
    const { statusBeforeMaintenance: told, state } = monitor;
    if (told === null) return [];
    return [
      { ...monitor, state: leaveMaintenance(state, told, now.getTime()), statusBeforeMaintenance: null },
    ];
  });
  if (leaving.length === 0) return;
  await tx.monitorState.updateMany({
    where: { monitorId: { in: leaving.map(({ id }) => id) } },
    data: { statusBeforeMaintenance: null },
  });
  const period = { from: now, decidedAt: now, why: { rule: MAINTENANCE_ENDED } };
  await switchPeriods(
    tx,
    leaving.map(({ id, state }) => {
      const isKnown = state.unknownSince === null;
      return { ...period, monitorId: id, state: isKnown ? state.status : ('unknown' as const) };
    }),
  );
  await notePagesChanged(tx, { monitorIds: leaving.map(({ id }) => id) });
  await noteLive(tx, [changesOf(leaving)]);
  await advanceMonitors(
    tx,
    services,
    leaving.map((monitor) => ({ monitor, inputs: [{ kind: 'tick' as const }], observation: null })),
    now,
  );
}

function changesOf(monitors: LockedMonitor[]): Hint {
  return { kind: 'changes', organizationIds: monitors.map(({ organizationId }) => organizationId) };
}
