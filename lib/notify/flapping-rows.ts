import { storableJson } from '@/lib/core/storable-text';
import type { Database, Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import { type LedgerPeriod, listChanges, type StatusChange } from '@/lib/state/announcements/decide-flapping';
import type { FlappingEnd, Spells } from '@/lib/state/announcements/flapping-note';
import type { MonitorStatus } from '@/lib/state/types';

/** The periods of a monitor that are read: enough for the changes that count, and unknown periods between them. */
const MAX_PERIODS = 40;

/** The part of a monitor that flaps which later changes continue. */
export type OpenFlapping = { incidentId: string | null; lastIncidentId: string | null; eventIds: string[] };

/** What is known of the changes of a monitor. */
export type RecentChanges = {
  /** Its changes of status, newest first. */
  changes: StatusChange[];
  /** People were not notified of changes that were decided by then, because of other monitors; null: of none. Epoch milliseconds. */
  countedSince: number | null;
  /** Null if the monitor does not flap. */
  open: OpenFlapping | null;
};

type Row = {
  id: string;
  periods: LedgerPeriod[] | null;
  countedSince: Date | null;
  open: OpenFlapping | null;
};

/**
 * The latest changes of monitors from their ledgers, and whether they flap, by ID and in one statement. `isDependent`: whether some of them
 * depend on others.
 */
export async function readChanges(
  tx: Transaction,
  monitorIds: readonly string[],
  { isDependent, now }: { isDependent: boolean; now: Date },
): Promise<ReadonlyMap<string, RecentChanges>> {
  if (monitorIds.length === 0) return new Map();
  const countedSince = isDependent
    ? Prisma.sql`(SELECT coalesce(ended_at, ${now}::timestamptz) FROM held_announcement
                   WHERE monitor_id = given.id AND caused_by_id IS NOT NULL ORDER BY held_at DESC LIMIT 1)`
    : Prisma.sql`NULL::timestamptz`;
  const rows = await tx.$queryRaw<Row[]>`
    SELECT given.id,
           (SELECT json_agg(json_build_object(
                     'state', state, 'isDecided', why->'quorum' IS NOT NULL,
                     'from', round(extract(epoch FROM from_at) * 1000),
                     'decidedAt', round(extract(epoch FROM decided_at) * 1000)) ORDER BY from_at DESC, period.id DESC)
              FROM (SELECT id, state, why, from_at, decided_at FROM status_period
                     WHERE monitor_id = given.id
                     ORDER BY from_at DESC, id DESC LIMIT ${MAX_PERIODS}) AS period) AS periods,
           ${countedSince} AS "countedSince",
           (SELECT json_build_object('incidentId', incident_id, 'lastIncidentId', last_incident_id,
                                     'eventIds', event_ids)
              FROM flapping WHERE monitor_id = given.id AND ended_at IS NULL AND interrupted_at IS NULL) AS open
      FROM unnest(${[...monitorIds]}::text[]) AS given (id)`;
  return new Map(
    rows.map(({ id, periods, countedSince, open }) => {
      const changes = listChanges(periods ?? []);
      return [id, { changes, countedSince: countedSince?.getTime() ?? null, open }];
    }),
  );
}

/** A monitor that begins or continues to flap. */
export type FlappingRow = OpenFlapping & {
  organizationId: string;
  monitorId: string;
  monitorName: string;
  /** What it changed to. */
  status: MonitorStatus;
  /** Since when it had the status of the first change that counts. */
  firstChangeAt: Date;
  changedAt: Date;
  /** When a worker looks whether it is steady. */
  lookAt: Date;
  /** The event that resolved `incidentId`, if this change did. */
  endEventId: string | null;
  /** Of the outage that the change began; null if it began none. */
  error: string | null;
};

/** Stores the last changes of monitors that flap, at most one of each, in one statement. The caller holds the locks of their states. */
export async function storeFlapping(tx: Transaction, rows: readonly FlappingRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO flapping (organization_id, monitor_id, monitor_name, status, first_change_at, since, last_change_at,
           look_at, incident_id, last_incident_id, event_ids, end_event_id, error)
    SELECT "organizationId", "monitorId", "monitorName", status, "firstChangeAt", "changedAt", "changedAt",
           "lookAt", "incidentId", "lastIncidentId", "eventIds", "endEventId", error
      FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS given (
             "organizationId" text, "monitorId" text, "monitorName" text, status monitor_status,
             "firstChangeAt" timestamptz, "changedAt" timestamptz, "lookAt" timestamptz, "incidentId" text,
             "lastIncidentId" text, "eventIds" text[], "endEventId" text, error text)
        ON CONFLICT (monitor_id) WHERE ended_at IS NULL DO UPDATE
       SET last_change_at = EXCLUDED.last_change_at, look_at = EXCLUDED.look_at,
           monitor_name = EXCLUDED.monitor_name, status = EXCLUDED.status,
           last_incident_id = EXCLUDED.last_incident_id, event_ids = EXCLUDED.event_ids,
           end_event_id = coalesce(flapping.end_event_id, EXCLUDED.end_event_id),
           error = coalesce(EXCLUDED.error, flapping.error)`;
}

/** Has a worker end the flapping of monitors that are paused, deleted or restarted, or enter maintenance. */
export async function interruptFlapping(
  tx: Transaction,
  monitorIds: readonly string[],
  now: Date,
): Promise<void> {
  if (monitorIds.length === 0) return;
  const interrupted = await tx.$executeRaw`
    UPDATE flapping SET interrupted_at = ${now}, look_at = ${now}
     WHERE monitor_id = ANY(${[...monitorIds]}) AND ended_at IS NULL AND interrupted_at IS NULL`;
  if (interrupted > 0) await notify(tx, 'pharos_deliveries');
}

/** A monitor that flaps, with what became of it. */
export type OpenRow = OpenFlapping & {
  id: bigint;
  organizationId: string;
  monitorId: string;
  monitorName: string;
  /** Empty once it is deleted. */
  dependsOn: string[];
  beganAt: Date;
  lastChangeAt: Date;
  interruptedAt: Date | null;
  endEventId: string | null;
  /** Of the last outage. */
  error: string | null;
  /** `steady` if nothing but its checks could end it. */
  end: FlappingEnd;
  /** Whether its checks give no data. */
  isUnknown: boolean;
  /** What it last changed to, and since when it had that status. */
  status: 'operational' | 'degraded' | 'down';
  since: Date;
  /** The outages and the slow times before that. */
  down: Spells;
  degraded: Spells;
};

/**
 * The monitors among these that are due, in three statements, which lock them: their status cannot change meanwhile. Those that others have
 * locked are left out, and those that were paused or deleted until their incidents are resolved, unless the caller does that.
 */
export async function readDueFlapping(
  tx: Transaction,
  monitorIds: readonly string[],
  now: Date,
  { resolves = false }: { resolves?: boolean } = {},
): Promise<OpenRow[]> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT monitor_id AS id FROM monitor_state WHERE monitor_id = ANY(${[...monitorIds]})
     ORDER BY monitor_id FOR NO KEY UPDATE SKIP LOCKED`;
  const free = locked.map(({ id }) => id);
  // After the locks: a change that they waited for may have made it due later. Deleted monitors have no state to lock.
  const due = await tx.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM flapping
     WHERE monitor_id = ANY(${[...monitorIds]}) AND ended_at IS NULL AND look_at <= ${now}
       AND (monitor_id = ANY(${free}) OR NOT EXISTS (SELECT FROM monitor WHERE monitor.id = flapping.monitor_id))
       AND (${resolves} OR EXISTS (SELECT FROM monitor WHERE monitor.id = flapping.monitor_id AND enabled)
            OR NOT EXISTS (SELECT FROM incident
                            WHERE incident.monitor_id = flapping.monitor_id AND automatic AND resolved_at IS NULL))
     ORDER BY id FOR UPDATE SKIP LOCKED`;
  const ids = due.map(({ id }) => id);
  return tx.$queryRaw<OpenRow[]>`
    SELECT flapping.id, flapping.organization_id AS "organizationId", flapping.monitor_id AS "monitorId",
           coalesce(monitor.name, monitor_name) AS "monitorName", coalesce(depends_on, '{}') AS "dependsOn",
           flapping.since AS "beganAt", last_change_at AS "lastChangeAt", interrupted_at AS "interruptedAt",
           incident_id AS "incidentId", last_incident_id AS "lastIncidentId", event_ids AS "eventIds",
           end_event_id AS "endEventId", error,
           CASE WHEN monitor.id IS NULL THEN 'deleted' WHEN NOT enabled THEN 'paused'
                WHEN status_before_maintenance IS NOT NULL THEN 'maintenance' ELSE 'steady' END AS end,
           coalesce(latest.state = 'unknown', false) AS "isUnknown",
           flapping.status::text AS status, coalesce(decided.from_at, last_change_at) AS since,
           json_build_object('count', coalesce(down, 0), 'ms', coalesce("downMs", 0)) AS down,
           json_build_object('count', coalesce(degraded, 0), 'ms', coalesce("degradedMs", 0)) AS degraded
      FROM flapping
      LEFT JOIN monitor ON monitor.id = flapping.monitor_id
      LEFT JOIN monitor_state AS state ON state.monitor_id = monitor.id
      LEFT JOIN status_period AS latest ON latest.monitor_id = monitor.id AND latest.to_at IS NULL
      LEFT JOIN LATERAL (
             SELECT from_at FROM status_period
              WHERE monitor_id = monitor.id AND from_at >= first_change_at AND why->'quorum' IS NOT NULL
              ORDER BY from_at DESC, id DESC LIMIT 1) AS decided ON true
      LEFT JOIN LATERAL (
             SELECT count(*) FILTER (WHERE state = 'down')::int AS down,
                    sum(ms) FILTER (WHERE state = 'down') AS "downMs",
                    count(*) FILTER (WHERE state = 'degraded')::int AS degraded,
                    sum(ms) FILTER (WHERE state = 'degraded') AS "degradedMs"
               FROM (SELECT state, round(extract(epoch FROM to_at - from_at) * 1000)::float8 AS ms FROM status_period
                      WHERE monitor_id = monitor.id AND from_at >= first_change_at AND to_at IS NOT NULL) AS ended
           ) AS spells ON true
     WHERE flapping.id = ANY(${ids}::bigint[]) ORDER BY flapping.id`;
}

/** The monitors among these that flap, with the incident whose alerts are open, in one statement. */
export async function readAlerted(
  tx: Transaction,
  monitorIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx.$queryRaw<{ id: string; incidentId: string | null }[]>`
    SELECT monitor_id AS id, incident_id AS "incidentId" FROM flapping
     WHERE monitor_id = ANY(${[...monitorIds]}) AND ended_at IS NULL`;
  return new Map(rows.map(({ id, incidentId }) => [id, incidentId]));
}

/** Writes that monitors do not flap any more. */
export async function endFlapping(tx: Transaction, ids: readonly bigint[], now: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE flapping SET ended_at = ${now}, look_at = NULL WHERE id = ANY(${[...ids]}::bigint[])`;
}

/** Has workers look at monitors later, in one statement. */
export async function postponeFlapping(
  tx: Pick<Database, '$executeRaw'>,
  postponed: readonly { monitorId: string; until: Date }[],
): Promise<void> {
  if (postponed.length === 0) return;
  await tx.$executeRaw`
    UPDATE flapping SET look_at = given.until
      FROM jsonb_to_recordset(${storableJson(postponed)}::jsonb) AS given ("monitorId" text, until timestamptz)
     WHERE monitor_id = given."monitorId" AND ended_at IS NULL`;
}
