import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import type { Cause } from '@/lib/schemas/webhooks/events';
import type { MonitorStatus } from '@/lib/state/types';
import type { NewNotice } from './notices';

/** A change that is not announced, or not yet. */
export type NewHeld = {
  organizationId: string;
  monitorId: string;
  incidentId: string | null;
  status: MonitorStatus;
  /** The events that were not sent to people. */
  eventIds: string[];
  notice: NewNotice | null;
  heldAt: Date;
  /** Null while the cause is down. */
  lookAt: Date | null;
  causedBy: Cause | null;
};

/** What is held of a monitor so far: what caused it; null: that is not decided. */
export type OpenHeld = { causedBy: Cause | null };

/** A change that is held, as stored. */
export type HeldRow = {
  id: bigint;
  organizationId: string;
  monitorId: string;
  incidentId: string | null;
  status: MonitorStatus;
  eventIds: string[];
  /** Its time is text, as in JSON. */
  notice: (Omit<NewNotice, 'occurredAt'> & { occurredAt: string }) | null;
  heldAt: Date;
  causedBy: Cause | null;
};

/** Stores changes that are held, in one statement. The caller holds the locks of the states of their monitors. */
export async function insertHeld(tx: Transaction, held: readonly NewHeld[]): Promise<void> {
  if (held.length === 0) return;
  const rows = held.map(({ causedBy, ...row }) => ({
    ...row,
    causedById: causedBy?.id ?? null,
    causedByName: causedBy?.name ?? null,
  }));
  await tx.$executeRaw`
    INSERT INTO held_announcement (organization_id, monitor_id, incident_id, status, event_ids, notice, held_at,
           look_at, caused_by_id, caused_by_name)
    SELECT "organizationId", "monitorId", "incidentId", status, "eventIds", nullif(notice, 'null'::jsonb), "heldAt",
           "lookAt", "causedById", "causedByName"
      FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS held (
             "organizationId" text, "monitorId" text, "incidentId" text, status monitor_status, "eventIds" text[],
             notice jsonb, "heldAt" timestamptz, "lookAt" timestamptz, "causedById" text, "causedByName" text)`;
}

/** What is held of monitors, by ID: the cause, or null if it is not decided. The caller holds the locks of their states. */
export async function readHeld(
  tx: Transaction,
  monitorIds: readonly string[],
): Promise<ReadonlyMap<string, OpenHeld>> {
  if (monitorIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ monitorId: string; id: string | null; name: string | null }[]>`
    SELECT DISTINCT ON (monitor_id) monitor_id AS "monitorId", caused_by_id AS id, caused_by_name AS name
      FROM held_announcement WHERE monitor_id = ANY(${[...monitorIds]}) AND ended_at IS NULL
     ORDER BY monitor_id, caused_by_id IS NULL, id DESC`;
  return new Map(
    rows.map(({ monitorId, id, name }) => {
      return [monitorId, { causedBy: id === null ? null : { id, name: name ?? '' } }];
    }),
  );
}

/** Ends what is held of monitors without announcing it: they have recovered. */
export async function endHeld(tx: Transaction, monitorIds: readonly string[], now: Date): Promise<void> {
  if (monitorIds.length === 0) return;
  await tx.$executeRaw`
    UPDATE held_announcement SET ended_at = ${now}, look_at = NULL
     WHERE monitor_id = ANY(${[...monitorIds]}) AND ended_at IS NULL`;
}

/** Has a worker look again at everything that is suppressed in an organization, whose dependencies were changed. */
export async function reviewSuppressed(tx: Transaction, organizationId: string, now: Date): Promise<void> {
  const reviewed = await tx.$executeRaw`
    UPDATE held_announcement SET look_at = ${now}
     WHERE organization_id = ${organizationId} AND ended_at IS NULL AND look_at IS NULL`;
  if (reviewed > 0) await notify(tx, 'pharos_deliveries');
}

type Row = Omit<HeldRow, 'causedBy'> & { causedById: string | null; causedByName: string | null };

/** What is held of monitors, in order; what another worker is deciding about is left out. */
export async function readHeldRows(tx: Transaction, monitorIds: readonly string[]): Promise<HeldRow[]> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT id, organization_id AS "organizationId", monitor_id AS "monitorId", incident_id AS "incidentId",
           status::text AS status, event_ids AS "eventIds", notice, held_at AS "heldAt",
           caused_by_id AS "causedById", caused_by_name AS "causedByName"
      FROM held_announcement WHERE monitor_id = ANY(${[...monitorIds]}) AND ended_at IS NULL
     ORDER BY id FOR UPDATE SKIP LOCKED`;
  return rows.map(({ causedById, causedByName, ...row }) => {
    return { ...row, causedBy: causedById === null ? null : { id: causedById, name: causedByName ?? '' } };
  });
}

/** Removes what was announced after all. */
export async function deleteHeld(tx: Transaction, ids: readonly bigint[]): Promise<void> {
  await tx.$executeRaw`DELETE FROM held_announcement WHERE id = ANY(${[...ids]}::bigint[])`;
}

/** What becomes of a change that is not announced now. */
export type Settled = { id: bigint; lookAt: Date | null; causedBy?: Cause | null; endedAt: Date | null };

/** Writes it in one statement. */
export async function settleHeld(tx: Transaction, settled: readonly Settled[]): Promise<void> {
  if (settled.length === 0) return;
  const rows = settled.map(({ id, lookAt, causedBy, endedAt }) => {
    return { id: id.toString(), lookAt, endedAt, causedById: causedBy?.id, causedByName: causedBy?.name };
  });
  await tx.$executeRaw`
    UPDATE held_announcement AS held
       SET look_at = given."lookAt", ended_at = given."endedAt", caused_by_id = given."causedById",
           caused_by_name = given."causedByName"
      FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS given (
             id bigint, "lookAt" timestamptz, "endedAt" timestamptz, "causedById" text, "causedByName" text)
     WHERE held.id = given.id`;
}
