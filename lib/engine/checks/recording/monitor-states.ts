import type { MonitorType } from '@/lib/checks/types';
import { describeError } from '@/lib/core/errors';
import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import {
  contest,
  IS_UNCONTESTED,
  keepLastCheck,
  latestOf,
  readLastChecks,
  type ShardId,
} from '@/lib/domain/monitors/last-checks';
import { type Columns, selectFields } from '@/lib/domain/monitors/stored-fields';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { DECIDING_FIELDS, type DecidingField } from '@/lib/schemas/monitor/fields';
import { rebuiltState } from '@/lib/state/initial-state';
import { contestMark, type LastCheck, withLastChecks } from '@/lib/state/routine';
import {
  type MonitorState,
  type MonitorStatus,
  parseMonitorState,
  type StateConfig,
  toStateConfig,
} from '@/lib/state/types';

/** A monitor whose state row is locked by this transaction. */
export type LockedMonitor = {
  id: string;
  organizationId: string;
  name: string;
  url: string;
  type: MonitorType;
  ref: string | null;
  tags: string[];
  dependsOn: string[];
  config: StateConfig;
  state: MonitorState;
  /** Why the stored state could not be read, in which case `state` is rebuilt; null if it could. */
  stateError: string | null;
  /** The displayed status. */
  status: MonitorStatus;
  /** During maintenance: the status people were last notified of; null outside maintenance. */
  statusBeforeMaintenance: MonitorStatus | null;
  /** The latest check from any region that was recorded without a decision; null: none was. */
  observed: MonitorObservation | null;
};

export type MonitorObservation = { checkedAt: Date; responseTime: number | null };

type Row = Omit<LockedMonitor, 'config' | 'state' | 'stateError' | 'observed'> &
  Columns<DecidingField> & { machine: unknown; configVersion: number };

/**
 * Has the plans that are made until the transaction ends search every table by an index. A connection keeps them: one that was made while there were
 * few incidents reads them all, which is right then, and in an outage would cost more with each batch until PostgreSQL analyzes the table.
 */
async function preferIndexes(tx: Transaction): Promise<void> {
  await tx.$queryRaw`SELECT set_config('enable_seqscan', 'off', true)`;
}

/** Locks the states of monitors until the transaction ends, in id order to avoid deadlocks. Returns those that are not contested. */
export async function lockStates(tx: Transaction, monitorIds: string[]): Promise<string[]> {
  await preferIndexes(tx);
  const rows = await tx.$queryRaw<{ id: string; isUncontested: boolean }[]>`
    SELECT monitor_id AS id, ${IS_UNCONTESTED} AS "isUncontested"
      FROM monitor_state WHERE monitor_id = ANY(${monitorIds}) ORDER BY monitor_id FOR UPDATE`;
  return rows.filter(({ isUncontested }) => isUncontested).map(({ id }) => id);
}

/**
 * Locks the states of monitors, and returns the enabled ones with the time of the decisions about them, which is after the wait
 * for the locks: decisions about a monitor are dated in their order. Rebuilds unreadable states. Not one statement: one that
 * waited for a lock sees other tables as they were before, thus the monitor before an edit.
 */
export async function lockMonitors(
  tx: Transaction,
  { clock, races }: Pick<Services, 'clock' | 'races'>,
  monitorIds: string[],
  shards?: readonly ShardId[],
): Promise<{ monitors: LockedMonitor[]; now: Date }> {
  const uncontested = await lockStates(tx, monitorIds);
  if (races) await races.reach('states locked');
  await contest(tx, uncontested, shards);
  const now = clock.now();
  const lastChecks = await readLastChecks(tx, uncontested, now);
  return { monitors: await readMonitors(tx, monitorIds, lastChecks, now), now };
}

async function readMonitors(
  tx: Transaction,
  monitorIds: string[],
  lastChecks: ReadonlyMap<string, LastCheck[]>,
  now: Date,
): Promise<LockedMonitor[]> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT monitor.id, organization_id AS "organizationId", name, url, type::text AS type, ref, tags,
           depends_on AS "dependsOn", machine, ${selectFields(DECIDING_FIELDS)},
           monitor.config_version AS "configVersion", status::text AS status,
           status_before_maintenance::text AS "statusBeforeMaintenance"
      FROM monitor_state JOIN monitor ON monitor.id = monitor_state.monitor_id
     WHERE monitor_state.monitor_id = ANY(${monitorIds}) AND monitor.enabled
     ORDER BY monitor_state.monitor_id`;
  return rows.map(({ machine, ...row }) => {
    const checks = lastChecks.get(row.id) ?? [];
    const latest = latestOf(checks);
    const { responseTime = null } = latest ?? {};
    return {
      ...row,
      ...readState({ machine, status: row.status }, checks, now),
      config: toStateConfig(row),
      observed: latest && { checkedAt: new Date(latest.startedAt), responseTime },
    };
  });
}

function readState(
  { machine, status }: Pick<Row, 'machine' | 'status'>,
  lastChecks: readonly LastCheck[],
  now: Date,
): Pick<LockedMonitor, 'state' | 'stateError'> {
  try {
    return { state: withLastChecks(parseMonitorState(machine), lastChecks), stateError: null };
  } catch (error) {
    return { state: rebuiltState(status, now.getTime()), stateError: describeError(error) };
  }
}

/** `ownerKnows`: the worker that owns all shards of the monitor decides, so it need not be notified of what follows for the next results. */
type Written = {
  monitor: LockedMonitor;
  state: MonitorState;
  observation: MonitorObservation | null;
  ownerKnows?: boolean;
};

/** Writes the states in a statement, or in two: the owners of the shards of most are notified if one became contested or no longer is. */
export async function writeStates(tx: Transaction, written: readonly Written[]): Promise<void> {
  const isKnown = ({ ownerKnows = false }: Written) => ownerKnows;
  await updateStates(tx, written.filter(isKnown), 'on');
  await updateStates(
    tx,
    written.filter((each) => !isKnown(each)),
    'off',
  );
}

/** `ownerKnows` is for the trigger `monitor_state_contested`. */
async function updateStates(
  tx: Transaction,
  written: readonly Written[],
  ownerKnows: 'on' | 'off',
): Promise<void> {
  if (written.length === 0) return;
  const rows = written.map(({ monitor, state, observation }) => ({
    id: monitor.id,
    status: state.status,
    failures: state.consecutiveFailures,
    machine: { ...state, isContested: contestMark(monitor.config, state) },
    ...(observation ?? monitor.observed ?? { checkedAt: null, responseTime: null }),
  }));
  await tx.$executeRaw`
    WITH setting AS MATERIALIZED (SELECT set_config('pharos.owner_knows', ${ownerKnows}, true))
    UPDATE monitor_state SET
           status = w.status,
           consecutive_failures = w.failures,
           machine = w.machine,
           ${keepLastCheck(Prisma.sql`w`)}
      FROM setting, jsonb_to_recordset(${storableJson(rows)}::jsonb) AS w (
           id text, status monitor_status, failures int, machine jsonb, "checkedAt" timestamptz, "responseTime" int)
     WHERE monitor_state.monitor_id = w.id`;
}
