import type { Transaction } from '@/lib/platform/db/client';

export type NoticeKind = 'monitor.down' | 'monitor.up' | 'region.silent' | 'region.back' | 'webhook.disabled';

/** Something that members are to be told of by e-mail. */
export type Notice = {
  kind: NoticeKind;
  /** The monitor, the region or the webhook endpoint, and its name at the time. */
  subjectId: string;
  subjectName: string;
  /** Of monitor.down: why. Of region.silent: what it means for the monitors. */
  error: string | null;
  /** Of monitor.up: for how many seconds it was down. Of region.back: for how many it sent no data. */
  downtime: number | null;
  occurredAt: Date;
};

export type NewNotice = Notice & { organizationId: string; incidentId: string | null };

/**
 * Writes notices into the transaction in which they happened, in one statement however many: a worker mails them if and
 * only if it commits. Only where `services.mail.isOn`.
 */
export async function writeNotices(tx: Transaction, notices: NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  const organizationIds = notices.map(({ organizationId }) => organizationId);
  const kinds = notices.map(({ kind }) => kind);
  const subjectIds = notices.map(({ subjectId }) => subjectId);
  const subjectNames = notices.map(({ subjectName }) => subjectName);
  const incidentIds = notices.map(({ incidentId }) => incidentId);
  const errors = notices.map(({ error }) => error);
  const downtimes = notices.map(({ downtime }) => downtime);
  const moments = notices.map(({ occurredAt }) => occurredAt);
  await tx.$executeRaw`
    INSERT INTO member_notice (organization_id, kind, subject_id, subject_name, incident_id, error, downtime, occurred_at)
    SELECT * FROM unnest(${organizationIds}::text[], ${kinds}::text[], ${subjectIds}::text[], ${subjectNames}::text[],
                         ${incidentIds}::text[], ${errors}::text[], ${downtimes}::int[], ${moments}::timestamptz[])`;
}
