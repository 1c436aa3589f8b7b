import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import { pausedState, restartedState } from '@/lib/state/initial-state';
import { parseMonitorState } from '@/lib/state/types';

/** What a change of a monitor's configuration means for what is known of it. */
export type StateChange = {
  id: string;
  /** Of the configuration as it is from now on. */
  configVersion: number;
  /** It begins again at pending: what was known counts no more. */
  restarts: boolean;
  pauses: boolean;
  /** Else the first check would tell of what maintenance is for. */
  inMaintenance: boolean;
};

/** Lets the states of monitors follow their configurations, in two statements however many. The caller holds the rows. */
export async function followStates(
  tx: Transaction,
  changes: readonly StateChange[],
  now: Date,
): Promise<void> {
  const rows = await tx.monitorState.findMany({
    where: { monitorId: { in: changes.map(({ id }) => id) } },
    select: {
      monitorId: true,
      machine: true,
      status: true,
      consecutiveFailures: true,
      statusBeforeMaintenance: true,
    },
  });
  const current = new Map(rows.map((row) => [row.monitorId, row]));
  const next = changes.flatMap((change) => {
    const row = current.get(change.id);
    return row ? [{ ...row, ...followState(parseMonitorState(row.machine), change, now) }] : [];
  });
  await tx.$executeRaw`
    UPDATE monitor_state AS state
       SET config_version = next."configVersion", machine = next.machine, status = next.status,
           consecutive_failures = next."consecutiveFailures",
           status_before_maintenance = next."statusBeforeMaintenance"
      FROM jsonb_to_recordset(${storableJson(next)}::jsonb)
        AS next ("monitorId" text, "configVersion" int, machine jsonb, status monitor_status,
                 "consecutiveFailures" int, "statusBeforeMaintenance" monitor_status)
     WHERE state.monitor_id = next."monitorId"`;
}

function followState(
  state: ReturnType<typeof parseMonitorState>,
  { configVersion, restarts, pauses, inMaintenance }: StateChange,
  now: Date,
) {
  const rested = pauses ? pausedState(state, now.getTime()) : state;
  if (!restarts) return { configVersion, machine: rested };
  return {
    configVersion,
    machine: restartedState(rested, now.getTime()),
    status: 'pending' as const,
    consecutiveFailures: 0,
    statusBeforeMaintenance: inMaintenance ? ('pending' as const) : null,
  };
}
