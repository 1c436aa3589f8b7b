import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';

export type NoticeKind =
  | 'monitor.down'
  | 'monitor.up'
  | 'monitor.flapping'
  | 'monitor.steady'
  | 'region.silent'
  | 'region.back'
  | 'probe.silent'
  | 'probe.back'
  | 'webhook.disabled';

/** An event that members are notified of by email or in their browsers. */
export type Notice = {
  kind: NoticeKind;
  /** The monitor, region, probe or webhook endpoint, with its name at the time. */
  subjectId: string;
  subjectName: string;
  /** monitor.down, monitor.flapping: the cause. */
  error: string | null;
  /** region.silent: what it means for monitors. */
  effect?: string | null;
  /** probe.silent, probe.back: the name of the region at the time. */
  regionName?: string | null;
  /** Seconds. monitor.up: how long it was down. region.back, probe.back: how long nothing was heard. */
  downtime: number | null;
  occurredAt: Date;
  /** monitor.flapping, monitor.steady: what happened. monitor.down: how the monitor stopped flapping; null if it did not flap. */
  flapping?: FlappingNote | null;
  /** monitor.down, when it is mailed: what depends on it. */
  dependents?: Dependents;
  /** Of a monitor, when it is mailed: what is known of its outage. */
  outage?: OutageFacts;
};

/** What emails say about the outage of a monitor besides its error. */
export type OutageFacts = {
  /** What is checked; empty for a heartbeat. */
  target: string;
  /** When it began: the first check of the run that failed. Null: unknown, because its time in the ledger was replaced. */
  since: Date | null;
  /** What the monitor was before it; null: unknown. */
  before: string | null;
  /** The names of the regions that fail, and how many have a vote; none for a heartbeat. */
  regions: string[];
  voting: number;
  /** The latest marker that concerns the monitor, shortly before it began. */
  marker: { title: string; at: Date } | null;
};

/** How many monitors; how many of them are down too, without a notice of their own; and the names of some of these. */
type Dependents = { all: number; down: number; names: string[] };

export type NewNotice = Notice & { organizationId: string; incidentId: string | null };

/** Whether anyone of the organization with an ID can be sent notices: by email, while it is on, or in a browser. */
export function hasReaders(organizationId: Prisma.Sql, { isOn }: { isOn: boolean }): Prisma.Sql {
  return Prisma.sql`(${isOn} OR EXISTS (SELECT FROM push_subscription AS browser
                                        WHERE browser.organization_id = ${organizationId}))`;
}

/**
 * Writes notices in one statement, in the transaction that caused them: a worker sends them if and only if it commits. Those that nobody
 * can be sent are left out.
 */
export async function writeNotices(
  tx: Transaction,
  mail: { isOn: boolean },
  notices: readonly NewNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO member_notice (organization_id, kind, subject_id, subject_name, incident_id, error, effect,
           region_name, downtime, occurred_at, flapping)
    SELECT "organizationId", kind, "subjectId", "subjectName", "incidentId", error, effect, "regionName", downtime,
           "occurredAt", nullif(flapping, 'null'::jsonb)
      FROM jsonb_to_recordset(${storableJson(notices)}::jsonb) AS notice (
             "organizationId" text, kind text, "subjectId" text, "subjectName" text, "incidentId" text, error text,
             effect text, "regionName" text, downtime int, "occurredAt" timestamptz, flapping jsonb)
     WHERE ${hasReaders(Prisma.sql`"organizationId"`, mail)}`;
}
