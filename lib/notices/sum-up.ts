import type { Notice } from './write-notices';

export type DownMonitor = { id: string; name: string; error: string | null };
export type RecoveredMonitor = { id: string; name: string; error: string | null; downtime: number };
export type DisabledEndpoint = { id: string; name: string };

/** What a reader has to know after all that happened: each monitor once, as it is now. */
export type News = {
  down: DownMonitor[];
  recovered: RecoveredMonitor[];
  disabled: DisabledEndpoint[];
  /** When the first and the last of it happened. */
  from: Date;
  to: Date;
};

/**
 * Sums up notices, at least one, in the order in which they were written. A monitor that went down and came back is
 * recovered, after all the time it was down; one that came back and went down again is down.
 */
export function sumUp(notices: Notice[]): News {
  const monitors = new Map<string, { isDown: boolean } & RecoveredMonitor>();
  const disabled = new Map<string, DisabledEndpoint>();
  for (const { kind, subjectId: id, subjectName: name, error, downtime } of notices) {
    const before = monitors.get(id);
    if (kind === 'webhook.disabled') disabled.set(id, { id, name });
    else if (kind === 'monitor.down') {
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
    disabled: [...disabled.values()],
    from: new Date(Math.min(...moments)),
    to: new Date(Math.max(...moments)),
  };
}
