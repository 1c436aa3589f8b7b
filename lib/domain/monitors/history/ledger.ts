import { storableJson } from '@/lib/core/storable-text';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { findMonitorNumber, ownMonitor } from '@/lib/domain/monitors/find-monitor';
import {
  contest,
  IS_UNCONTESTED,
  keepLastCheck,
  latestOf,
  readLastChecks,
} from '@/lib/domain/monitors/last-checks';
import { interruptFlapping } from '@/lib/notify/flapping-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { type MonitorState as MonitorStateRow, Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { type Cursor, type Page, pageOf } from '@/lib/schemas/cursor';
import { type Transition, type TransitionsQuery, whySchema } from '@/lib/schemas/monitor/transition';
import { pausedState, restartedState } from '@/lib/state/initial-state';
import { withLastChecks } from '@/lib/state/routine';
import { type MonitorState, parseMonitorState } from '@/lib/state/types';

/** The rules of the start and end of maintenance, which a replay distinguishes from a restart during maintenance. */
export const MAINTENANCE_BEGAN = 'maintenance began';
export const MAINTENANCE_ENDED = 'maintenance ended';

/** The monitor is in `state` since `from`, which is not before the start of the current period; `why` is for people. */
export type PeriodChange = {
  monitorId: string;
  state: PeriodState;
  from: Date;
  decidedAt: Date;
  why: object | null;
};

/**
 * Ends the current period of each monitor and opens the next, without overlaps or gaps. At most one change per monitor and call;
 * the caller holds the locks of the monitors' state rows. Triggers add what has ended to the uptime of its days.
 */
export async function switchPeriods(tx: Transaction, changes: PeriodChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.$executeRaw`
    WITH change AS (
      SELECT * FROM jsonb_to_recordset(${storableJson(changes)}::jsonb)
          AS c ("monitorId" text, state period_state, "from" timestamptz, "decidedAt" timestamptz, why jsonb)
    ), ended AS (
      UPDATE status_period AS period SET to_at = greatest(period.from_at, change."from")
        FROM change WHERE period.monitor_id = change."monitorId" AND period.to_at IS NULL
      RETURNING period.monitor_id, period.to_at, period.state, known_before, down_before,
                round(extract(epoch FROM period.to_at - period.from_at) * 1000)::bigint AS ms
    )
    INSERT INTO status_period (monitor_id, state, from_at, decided_at, why, known_before, down_before)
    SELECT change."monitorId", change.state, coalesce(ended.to_at, change."from"), change."decidedAt",
           nullif(change.why, 'null'::jsonb),
           coalesce(known_before + CASE WHEN status_rank(ended.state) > 0 THEN ms ELSE 0 END, 0),
           coalesce(down_before + CASE WHEN ended.state = 'down' THEN ms ELSE 0 END, 0)
      FROM change LEFT JOIN ended ON ended.monitor_id = change."monitorId"`;
}

/** The effect of a configuration change on a monitor's state. */
type StateChange = {
  id: string;
  /** The new version. */
  configVersion: number;
  /** The monitor is reset to pending. */
  restarts: boolean;
  pauses: boolean;
  /** Prevents the first check from sending alerts during maintenance. */
  inMaintenance: boolean;
};

type StateRow = Pick<
  MonitorStateRow,
  'monitorId' | 'machine' | 'status' | 'consecutiveFailures' | 'statusBeforeMaintenance'
>;

/**
 * Updates the states of monitors after configuration changes, in at most seven statements. The caller holds the locks of the state rows.
 */
export async function followStates(tx: Transaction, changes: readonly StateChange[], now: Date) {
  const ids = changes.map(({ id }) => id);
  const interrupted = changes.filter(({ restarts, pauses }) => restarts || pauses);
  await interruptFlapping(
    tx,
    interrupted.map(({ id }) => id),
    now,
  );
  const steady = await tx.$queryRaw<{ id: string }[]>`
    SELECT monitor_id AS id FROM monitor_state WHERE monitor_id = ANY(${ids}) AND ${IS_UNCONTESTED}`;
  const uncontested = steady.map(({ id }) => id);
  await contest(tx, uncontested);
  const lastChecks = await readLastChecks(tx, uncontested, now);
  const rows = await tx.$queryRaw<StateRow[]>`
    SELECT monitor_id AS "monitorId", machine, status::text AS status, consecutive_failures AS "consecutiveFailures",
           status_before_maintenance::text AS "statusBeforeMaintenance"
      FROM monitor_state WHERE monitor_id = ANY(${ids})`;
  const current = new Map(rows.map((row) => [row.monitorId, row]));
  const next = changes.flatMap((change) => {
    const row = current.get(change.id);
    if (!row) return [];
    const checks = lastChecks.get(change.id) ?? [];
    const state = withLastChecks(parseMonitorState(row.machine), checks);
    const latest = latestOf(checks);
    const checkedAt = latest && new Date(latest.startedAt);
    const responseTime = latest?.responseTime ?? null;
    // A damaged state has no count.
    const { consecutiveFailures = row.consecutiveFailures }: Partial<MonitorState> = state;
    return [{ ...row, consecutiveFailures, ...followState(state, change, now), checkedAt, responseTime }];
  });
  await tx.$executeRaw`
    UPDATE monitor_state AS state
       SET config_version = next."configVersion", machine = next.machine, status = next.status,
           consecutive_failures = next."consecutiveFailures",
           status_before_maintenance = next."statusBeforeMaintenance",
           ${keepLastCheck(Prisma.sql`next`)}
      FROM jsonb_to_recordset(${storableJson(next)}::jsonb)
        AS next ("monitorId" text, "configVersion" int, machine jsonb, status monitor_status,
                 "consecutiveFailures" int, "statusBeforeMaintenance" monitor_status,
                 "checkedAt" timestamptz, "responseTime" int)
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

type Row = { id: bigint; state: PeriodState; from: Date; to: Date | null; decidedAt: Date; why: unknown };

/**
 * A page of a monitor's status changes, newest first, with reasons and back-dated starts. The first entry of a monitor is pending,
 * without a previous state. Throws NOT_FOUND.
 */
export async function listTransitions(
  ctx: OrganizationContext,
  id: string,
  { limit, cursor }: TransitionsQuery,
): Promise<Page<Transition>> {
  requirePermission(ctx, 'monitor.read');
  // Includes the row after the page, which is the previous state of the last item.
  const rows = await ctx.db.$queryRaw<Row[]>(transitionsQuery(ownMonitor('id', ctx, id), limit, cursor));
  if (rows.length === 0) await findMonitorNumber(ctx, id);
  const page = pageOf(rows, limit, (row) => ({ at: row.from, tie: Number(row.id) }));
  return {
    items: page.items.map((row, index) => toTransition(row, rows[index + 1]?.state ?? null)),
    next: page.next,
  };
}

/** Reads backwards through the index of a monitor's periods and stops at the limit. */
export function transitionsQuery(monitorId: Prisma.Sql, limit: number, cursor?: Cursor): Prisma.Sql {
  const after = cursor
    ? Prisma.sql`AND from_at <= ${cursor.at} AND (from_at < ${cursor.at} OR id < ${cursor.tie})`
    : Prisma.empty;
  return Prisma.sql`
    SELECT id, state, from_at AS "from", to_at AS "to", decided_at AS "decidedAt", why
      FROM status_period
     WHERE monitor_id = ${monitorId} ${after}
     ORDER BY from_at DESC, id DESC LIMIT ${limit + 1}`;
}

/** The change that began a period, after the state `before`. */
export function toTransition(
  { state, from, to, decidedAt, why }: Omit<Row, 'id'>,
  before: PeriodState | null,
): Transition {
  return {
    from: before,
    to: state,
    at: from.toISOString(),
    decidedAt: decidedAt.toISOString(),
    endedAt: to?.toISOString() ?? null,
    why: why === null ? null : whySchema.parse(why),
  };
}

/** The monitors that are in a maintenance window now, even if the engine has not processed it yet. */
export async function findUnderMaintenance(
  tx: Transaction,
  monitorIds: string[],
  now: Date,
): Promise<Set<string>> {
  const covering = { endedAt: null, startsAt: { lte: now }, endsAt: { gt: now } };
  const rows = await tx.maintenanceWindowMonitor.findMany({
    where: { monitorId: { in: monitorIds }, window: { occurrences: { some: covering } } },
    select: { monitorId: true },
  });
  return new Set(rows.map((row) => row.monitorId));
}
