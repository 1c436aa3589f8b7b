import { storableJson } from '@/lib/core/storable-text';
import type { NewNotice } from '@/lib/domain/notices/write-notices';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import type { Cause } from '@/lib/schemas/webhooks/events';
import type { MonitorStatus } from '@/lib/state/types';

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

/** Stores changes that are held, in one statement. The caller holds the locks of the states of their monitors. */
export async function holdAnnouncements(tx: Transaction, held: readonly NewHeld[]): Promise<void> {
  if (held.length === 0) return;
  const rows = held.map(({ causedBy, ...row }) => ({
    ...row,
    causedById: causedBy?.id ?? null,
    causedByName: causedBy?.name ?? null,
  }));
  await tx.$executeRaw`
    INSERT INTO held_announcement (organization_id, monitor_id, incident_id, status, event_ids, notice, held_at, look_at,
           caused_by_id, caused_by_name)
    SELECT "organizationId", "monitorId", "incidentId", status, "eventIds", nullif(notice, 'null'::jsonb), "heldAt", "lookAt",
           "causedById", "causedByName"
      FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS held (
             "organizationId" text, "monitorId" text, "incidentId" text, status monitor_status, "eventIds" text[], notice jsonb,
             "heldAt" timestamptz, "lookAt" timestamptz, "causedById" text, "causedByName" text)`;
  await notify(tx, 'pharos_deliveries');
}

/** What is held of monitors, by ID: the cause, or null if it is not decided. The caller holds the locks of their states. */
export async function readHeld(
  tx: Transaction,
  monitorIds: readonly string[],
): Promise<Map<string, { causedBy: Cause | null }>> {
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
