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

type DownMonitor = { id: string; name: string; error: string | null };
export type RecoveredMonitor = { id: string; name: string; error: string | null; downtime: number };
/** A region without a worker, since when, and what it means for the monitors. */
export type SilentRegion = { region: string; since: Date; effect: string | null };
/** A region that sends data again, after so many seconds without. */
export type ReturnedRegion = { region: string; seconds: number };
type DisabledEndpoint = { id: string; name: string };

/** What a reader has to know after all that happened: each monitor once, as it is now. */
export type News = {
  down: DownMonitor[];
  recovered: RecoveredMonitor[];
  silent: SilentRegion[];
  returned: ReturnedRegion[];
  disabled: DisabledEndpoint[];
  /** When the first and the last of it happened. */
  from: Date;
  to: Date;
};

/**
 * Sums up notices, at least one, in the order in which they were written. A monitor that went down and came back is
 * recovered, after all the time it was down; one that came back and went down again is down. Of a region the latest counts.
 */
export function sumUp(notices: Notice[]): News {
  const monitors = new Map<string, { isDown: boolean } & RecoveredMonitor>();
  const disabled = new Map<string, DisabledEndpoint>();
  const regions = new Map<string, Notice>();
  for (const notice of notices) {
    const { kind, subjectId: id, subjectName: name, error, downtime } = notice;
    const before = monitors.get(id);
    if (kind === 'webhook.disabled') {
      disabled.set(id, { id, name });
    } else if (kind === 'region.silent' || kind === 'region.back') {
      regions.set(id, notice);
    } else if (kind === 'monitor.down') {
      monitors.set(id, { id, name, isDown: true, error, downtime: before?.downtime ?? 0 });
    } else {
      const total = (before?.downtime ?? 0) + (downtime ?? 0);
      monitors.set(id, { id, name, isDown: false, error: before?.error ?? null, downtime: total });
    }
  }
  const all = [...monitors.values()];
  const moments = notices.map(({ occurredAt }) => occurredAt.getTime());
  return {
    down: all.filter(({ isDown }) => isDown).map(({ id, name, error }) => ({ id, name, error })),
    recovered: all
      .filter(({ isDown }) => !isDown)
      .map(({ id, name, error, downtime }) => ({ id, name, error, downtime })),
    silent: [...regions.values()]
      .filter(({ kind }) => kind === 'region.silent')
      .map(({ subjectName: region, occurredAt: since, error: effect }) => ({ region, since, effect })),
    returned: [...regions.values()]
      .filter(({ kind }) => kind === 'region.back')
      .map(({ subjectName: region, downtime }) => ({ region, seconds: downtime ?? 0 })),
    disabled: [...disabled.values()],
    from: new Date(Math.min(...moments)),
    to: new Date(Math.max(...moments)),
  };
}
