import type { KumaMonitor } from './monitor-row';

/** Deeper than groups are nested; also ends a cycle in a damaged file. */
const MAX_DEPTH = 10;

export type Groups = {
  /** The names of the groups around a monitor, innermost first. */
  namesOf(monitor: KumaMonitor): string[];
  /** Whether a group around a monitor is paused, which pauses the monitor. */
  isPaused(monitor: KumaMonitor): boolean;
};

/** The groups that monitors are in. A group is itself a monitor, of type `group`. */
export function findGroups(monitors: readonly KumaMonitor[]): Groups {
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));

  const groupsOf = (monitor: KumaMonitor): KumaMonitor[] => {
    const groups: KumaMonitor[] = [];
    let next = monitor.parent === null ? undefined : byId.get(monitor.parent);
    while (next !== undefined && groups.length < MAX_DEPTH) {
      groups.push(next);
      next = next.parent === null ? undefined : byId.get(next.parent);
    }
    return groups;
  };

  return {
    namesOf: (monitor) => groupsOf(monitor).map(({ name }) => name),
    isPaused: (monitor) =>
      monitor.force_inactive === true || groupsOf(monitor).some(({ active }) => active === false),
  };
}
