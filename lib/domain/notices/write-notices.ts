import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
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

/** An event that members are notified of by email. */
export type Notice = {
  kind: NoticeKind;
  /** The monitor, region, probe or webhook endpoint, with its name at the time. */
  subjectId: string;
  subjectName: string;
  /** monitor.down, monitor.flapping: the cause. region.silent: the effect on monitors. probe.silent and probe.back: the name of the region. */
  error: string | null;
  /** Seconds. monitor.up: how long it was down. region.back, probe.back: how long nothing was heard. */
  downtime: number | null;
  occurredAt: Date;
  /** monitor.flapping, monitor.steady: what happened. monitor.down: how the monitor stopped flapping; null if it did not flap. */
  flapping?: FlappingNote | null;
  /** monitor.down, when it is mailed: what depends on it. */
  dependents?: Dependents;
};

/** How many monitors; how many of them are down too, without a notice of their own; and the names of some of these. */
type Dependents = { all: number; down: number; names: string[] };

export type NewNotice = Notice & { organizationId: string; incidentId: string | null };

/**
 * Writes notices in one statement, in the transaction that caused them: a worker mails them if and only if it commits. Call
 * only if `services.mail.isOn`.
 */
export async function writeNotices(tx: Transaction, notices: NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO member_notice (organization_id, kind, subject_id, subject_name, incident_id, error, downtime, occurred_at, flapping)
    SELECT "organizationId", kind, "subjectId", "subjectName", "incidentId", error, downtime, "occurredAt",
           nullif(flapping, 'null'::jsonb)
      FROM jsonb_to_recordset(${storableJson(notices)}::jsonb) AS notice (
             "organizationId" text, kind text, "subjectId" text, "subjectName" text, "incidentId" text, error text,
             downtime int, "occurredAt" timestamptz, flapping jsonb)`;
}

type DownMonitor = {
  id: string;
  name: string;
  error: string | null;
  dependents?: Dependents;
  /** How it stopped flapping. */
  flapping: FlappingNote | null;
};
export type RecoveredMonitor = { id: string; name: string; error: string | null; downtime: number };
/** A monitor that flaps, or does not any more. */
export type FlappingMonitor = { id: string; name: string; error: string | null; note: FlappingNote };
/** A region without a worker and the effect on monitors. */
export type SilentRegion = { region: string; since: Date; effect: string | null };
/** A region that sends data again, after `seconds` without. */
export type ReturnedRegion = { region: string; seconds: number };
/** A probe that is not heard of, and the name of its region. */
export type SilentProbe = { host: string; region: string; since: Date };
/** A probe that reports again, after `seconds`. */
export type ReturnedProbe = { host: string; region: string; seconds: number };
type DisabledEndpoint = { id: string; name: string };

/** The outcome of notices for a reader: each monitor once, in its latest state. */
export type NoticeSummary = {
  down: DownMonitor[];
  recovered: RecoveredMonitor[];
  flapping: FlappingMonitor[];
  steady: FlappingMonitor[];
  silent: SilentRegion[];
  returned: ReturnedRegion[];
  silentProbes: SilentProbe[];
  returnedProbes: ReturnedProbe[];
  disabled: DisabledEndpoint[];
  /** When the first and the last notice occurred. */
  from: Date;
  to: Date;
};

type MonitorSummary = RecoveredMonitor &
  Pick<DownMonitor, 'dependents' | 'flapping'> & { state: 'down' | 'up' | 'flapping' | 'steady' };

const STATES = { 'monitor.up': 'up', 'monitor.flapping': 'flapping', 'monitor.steady': 'steady' } as const;

/**
 * Summarizes one or more notices, given in the order in which they were written. The latest notice decides the state of a
 * monitor, region or probe; the downtimes of a monitor are added up.
 */
export function summarizeNotices(notices: Notice[]): NoticeSummary {
  const monitors = new Map<string, MonitorSummary>();
  const disabled = new Map<string, DisabledEndpoint>();
  const regions = new Map<string, Notice>();
  const probes = new Map<string, Notice>();
  for (const notice of notices) {
    const { kind, subjectId: id, subjectName: name, error, downtime, flapping = null } = notice;
    const before = monitors.get(id);
    if (kind === 'webhook.disabled') {
      disabled.set(id, { id, name });
    } else if (kind === 'region.silent' || kind === 'region.back') {
      regions.set(id, notice);
    } else if (kind === 'probe.silent' || kind === 'probe.back') {
      probes.set(id, notice);
    } else if (kind === 'monitor.down') {
      const { dependents } = notice;
      const own = { id, name, error, flapping, downtime: before?.downtime ?? 0, dependents };
      monitors.set(id, { ...own, state: 'down' });
    } else {
      const total = (before?.downtime ?? 0) + (downtime ?? 0);
      const own = { id, name, error: error ?? before?.error ?? null, flapping, downtime: total };
      monitors.set(id, { ...own, state: STATES[kind] });
    }
  }
  const all = [...monitors.values()];
  const moments = notices.map(({ occurredAt }) => occurredAt.getTime());
  const flapping = (wanted: MonitorSummary['state']): FlappingMonitor[] =>
    all.flatMap(({ id, name, error, state, flapping: note }) =>
      state === wanted && note !== null ? [{ id, name, error, note }] : [],
    );
  return {
    down: all
      .filter(({ state }) => state === 'down')
      .map(({ id, name, error, dependents, flapping }) => ({ id, name, error, dependents, flapping })),
    recovered: all
      .filter(({ state }) => state === 'up')
      .map(({ id, name, error, downtime }) => ({ id, name, error, downtime })),
    flapping: flapping('flapping'),
    steady: flapping('steady'),
    silent: [...regions.values()]
      .filter(({ kind }) => kind === 'region.silent')
      .map(({ subjectName: region, occurredAt: since, error: effect }) => ({ region, since, effect })),
    returned: [...regions.values()]
      .filter(({ kind }) => kind === 'region.back')
      .map(({ subjectName: region, downtime }) => ({ region, seconds: downtime ?? 0 })),
    silentProbes: [...probes.values()]
      .filter(({ kind }) => kind === 'probe.silent')
      .map(({ subjectName: host, error, occurredAt: since }) => ({ host, region: error ?? '', since })),
    returnedProbes: [...probes.values()]
      .filter(({ kind }) => kind === 'probe.back')
      .map(({ subjectName: host, error, downtime }) => ({
        host,
        region: error ?? '',
        seconds: downtime ?? 0,
      })),
    disabled: [...disabled.values()],
    from: new Date(Math.min(...moments)),
    to: new Date(Math.max(...moments)),
  };
}
