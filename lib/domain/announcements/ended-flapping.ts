import { storableJson } from '@/lib/core/storable-text';
import type { Database, Transaction } from '@/lib/platform/db/client';
import type { FlappingEnd, Spells } from '@/lib/state/announcements/flapping-note';
import type { OpenFlapping } from './flapping';

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
           flapping.since AS "beganAt", last_change_at AS "lastChangeAt", interrupted_at AS "interruptedAt", incident_id AS "incidentId",
           last_incident_id AS "lastIncidentId", event_ids AS "eventIds", end_event_id AS "endEventId", error,
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
                      WHERE monitor_id = monitor.id AND from_at >= first_change_at AND to_at IS NOT NULL) AS ended) AS spells ON true
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
