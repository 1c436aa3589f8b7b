import type { Transaction } from '@/lib/db/client';
import { switchPeriods } from '@/lib/monitors/ledger';
import { notePagesChanged } from '@/lib/page-changes/note-pages-changed';
import { enterMaintenance, leaveMaintenance } from '@/lib/state/maintenance';
import { type AdvanceOptions, advanceMonitors } from './advance-monitors';
import { lockMonitors } from './monitor-states';

/**
 * Puts monitors into maintenance: checks go on, the ledger counts maintenance, nobody is told of anything. Those that are
 * in it already, and paused ones, stay as they are.
 */
export async function beginMaintenance(tx: Transaction, monitorIds: string[], now: Date): Promise<void> {
  const monitors = await lockMonitors(tx, monitorIds);
  const entering = monitors.filter((monitor) => monitor.statusBeforeMaintenance === null);
  for (const { id, state } of entering) {
    await tx.monitorState.update({
      where: { monitorId: id },
      data: { statusBeforeMaintenance: state.status, machine: enterMaintenance(state, now.getTime()) },
    });
  }
  const period = {
    state: 'maintenance' as const,
    from: now,
    decidedAt: now,
    why: { rule: 'maintenance began' },
  };
  await switchPeriods(
    tx,
    entering.map(({ id }) => ({ ...period, monitorId: id })),
  );
  await notePagesChanged(tx, { monitorIds: entering.map(({ id }) => id) });
}

/**
 * Takes monitors out of maintenance. Where the status is not what people were told before it, it is taken over and told
 * now, or with the next checks if it is not settled.
 */
export async function endMaintenance(
  tx: Transaction,
  monitorIds: string[],
  { now, mail }: AdvanceOptions,
): Promise<void> {
  const monitors = await lockMonitors(tx, monitorIds);
  const leaving = monitors.flatMap((monitor) => {
    const { statusBeforeMaintenance: told, state } = monitor;
    if (told === null) return [];
    return [
      { ...monitor, state: leaveMaintenance(state, told, now.getTime()), statusBeforeMaintenance: null },
    ];
  });
  await tx.monitorState.updateMany({
    where: { monitorId: { in: leaving.map(({ id }) => id) } },
    data: { statusBeforeMaintenance: null },
  });
  const period = { from: now, decidedAt: now, why: { rule: 'maintenance ended' } };
  await switchPeriods(
    tx,
    leaving.map(({ id, state }) => {
      const isKnown = state.unknownSince === null;
      return { ...period, monitorId: id, state: isKnown ? state.status : ('unknown' as const) };
    }),
  );
  await notePagesChanged(tx, { monitorIds: leaving.map(({ id }) => id) });
  await advanceMonitors(
    tx,
    { now, mail },
    leaving.map((monitor) => ({ monitor, inputs: [{ kind: 'tick' as const }], observation: null })),
  );
}
