import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import { countDependents } from '@/lib/domain/monitors/dependencies/count-dependents';
import { type NewNotice, writeNotices } from '@/lib/domain/notices/write-notices';
import { deliverHeld } from '@/lib/domain/webhooks/emit-events';
import type { WhileFlapping } from '@/lib/domain/webhooks/while-flapping';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import type { Cause } from '@/lib/schemas/webhooks/events';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';
import type { MonitorStatus } from '@/lib/state/types';

/** A change that is held. */
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

type Row = Omit<HeldRow, 'causedBy'> & { causedById: string | null; causedByName: string | null };

/** What people are notified of instead of what is held of a monitor, with the last event of it. */
export type HeldFlapping = { note: FlappingNote; lastEventId: string | null; notice: NewNotice };

function shareHeld({ note, lastEventId }: HeldFlapping, id: string): WhileFlapping {
  return { note: id === lastEventId ? note : null, alerts: 'openings' };
}

/** What is held of monitors, in order; what another worker is deciding about is left out. */
export async function readHeldRows(tx: Transaction, monitorIds: readonly string[]): Promise<HeldRow[]> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT id, organization_id AS "organizationId", monitor_id AS "monitorId", incident_id AS "incidentId", status::text AS status, event_ids AS "eventIds", notice, held_at AS "heldAt",
           caused_by_id AS "causedById", caused_by_name AS "causedByName"
      FROM held_announcement WHERE monitor_id = ANY(${[...monitorIds]}) AND ended_at IS NULL
     ORDER BY id FOR UPDATE SKIP LOCKED`;
  return rows.map(({ causedById, causedByName, ...row }) => {
    return { ...row, causedBy: causedById === null ? null : { id: causedById, name: causedByName ?? '' } };
  });
}

/**
 * Notifies people of changes after all: their events are sent to all endpoints, and members get their notices. Of monitors that are
 * `flapping`, people are only notified of that.
 */
export async function announceHeld(
  tx: Transaction,
  services: Pick<Services, 'appUrl' | 'mail'>,
  held: readonly HeldRow[],
  now: Date,
  flapping: ReadonlyMap<string, HeldFlapping> = new Map(),
): Promise<void> {
  if (held.length === 0) return;
  const down = held.filter(({ status }) => status === 'down').map(({ monitorId }) => monitorId);
  const counts = await countDependents(tx, [...new Set(down)]);
  const events = held.flatMap(({ eventIds, monitorId, status }) => {
    const dependents = status === 'down' ? (counts.get(monitorId) ?? 0) : 0;
    const share = flapping.get(monitorId);
    return eventIds.map((id) => ({ id, dependents, flapping: share && shareHeld(share, id) }));
  });
  await deliverHeld(tx, services, events, now);
  const single = held.flatMap(({ monitorId, notice }) =>
    notice === null || flapping.has(monitorId)
      ? []
      : [{ ...notice, occurredAt: new Date(notice.occurredAt) }],
  );
  const notices = [...single, ...[...flapping.values()].map(({ notice }) => notice)];
  if (services.mail.isOn && notices.length > 0) {
    await writeNotices(tx, notices);
    await notify(tx, 'pharos_mail');
  }
  const ids = held.map(({ id }) => id);
  await tx.$executeRaw`DELETE FROM held_announcement WHERE id = ANY(${ids}::bigint[])`;
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
