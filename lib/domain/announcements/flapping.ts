import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import { type LedgerPeriod, listChanges, type StatusChange } from '@/lib/state/announcements/decide-flapping';
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
                     WHERE monitor_id = given.id ORDER BY from_at DESC, id DESC LIMIT ${MAX_PERIODS}) AS period) AS periods,
           ${countedSince} AS "countedSince",
           (SELECT json_build_object('incidentId', incident_id, 'lastIncidentId', last_incident_id, 'eventIds', event_ids)
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
    INSERT INTO flapping (organization_id, monitor_id, monitor_name, status, first_change_at, since, last_change_at, look_at, incident_id,
           last_incident_id, event_ids, end_event_id, error)
    SELECT "organizationId", "monitorId", "monitorName", status, "firstChangeAt", "changedAt", "changedAt", "lookAt", "incidentId",
           "lastIncidentId", "eventIds", "endEventId", error
      FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS given (
             "organizationId" text, "monitorId" text, "monitorName" text, status monitor_status, "firstChangeAt" timestamptz, "changedAt" timestamptz,
             "lookAt" timestamptz, "incidentId" text, "lastIncidentId" text, "eventIds" text[], "endEventId" text, error text)
        ON CONFLICT (monitor_id) WHERE ended_at IS NULL DO UPDATE
       SET last_change_at = EXCLUDED.last_change_at, look_at = EXCLUDED.look_at, monitor_name = EXCLUDED.monitor_name, status = EXCLUDED.status,
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
