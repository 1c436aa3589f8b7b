import type { Notice } from '@/lib/notify/notices';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';

type DownMonitor = {
  id: string;
  name: string;
  error: string | null;
  dependents?: Notice['dependents'];
  outage?: Notice['outage'];
  /** How it stopped flapping. */
  flapping: FlappingNote | null;
};
export type RecoveredMonitor = {
  id: string;
  name: string;
  error: string | null;
  downtime: number;
  outage?: Notice['outage'];
};
/** A monitor that flaps, or does not any more. */
export type FlappingMonitor = {
  id: string;
  name: string;
  error: string | null;
  note: FlappingNote;
  outage?: Notice['outage'];
};
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
      const { dependents, outage } = notice;
      const own = { id, name, error, flapping, downtime: before?.downtime ?? 0, dependents, outage };
      monitors.set(id, { ...own, state: 'down' });
    } else {
      const total = (before?.downtime ?? 0) + (downtime ?? 0);
      const { outage } = notice;
      const own = { id, name, error: error ?? before?.error ?? null, flapping, downtime: total, outage };
      monitors.set(id, { ...own, state: STATES[kind] });
    }
  }
  const all = [...monitors.values()];
  const moments = notices.map(({ occurredAt }) => occurredAt.getTime());
  const flapping = (wanted: MonitorSummary['state']): FlappingMonitor[] =>
    all.flatMap(({ id, name, error, state, flapping: note, outage }) =>
      state === wanted && note !== null ? [{ id, name, error, note, outage }] : [],
    );
  return {
    down: all
      .filter(({ state }) => state === 'down')
      .map(({ id, name, error, dependents, flapping, outage }) => {
        return { id, name, error, dependents, flapping, outage };
      }),
    recovered: all
      .filter(({ state }) => state === 'up')
      .map(({ id, name, error, downtime, outage }) => ({ id, name, error, downtime, outage })),
    flapping: flapping('flapping'),
    steady: flapping('steady'),
    silent: [...regions.values()]
      .filter(({ kind }) => kind === 'region.silent')
      .map(({ subjectName: region, occurredAt: since, effect = null }) => ({ region, since, effect })),
    returned: [...regions.values()]
      .filter(({ kind }) => kind === 'region.back')
      .map(({ subjectName: region, downtime }) => ({ region, seconds: downtime ?? 0 })),
    silentProbes: [...probes.values()]
      .filter(({ kind }) => kind === 'probe.silent')
      .map(({ subjectName: host, regionName, occurredAt: since }) => ({
        host,
        region: regionName ?? '',
        since,
      })),
    returnedProbes: [...probes.values()]
      .filter(({ kind }) => kind === 'probe.back')
      .map(({ subjectName: host, regionName, downtime }) => ({
        host,
        region: regionName ?? '',
        seconds: downtime ?? 0,
      })),
    disabled: [...disabled.values()],
    from: new Date(Math.min(...moments)),
    to: new Date(Math.max(...moments)),
  };
}
