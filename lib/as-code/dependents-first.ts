import type { Fields } from './sections';

type Named = Fields & { id: string };

/** Monitors in an order in which each comes before those that it depends on: deleting one changes those that depend on it. */
export function dependentsFirst<Monitor extends Named>(monitors: readonly Monitor[]): Monitor[] {
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const done = new Set<string>();
  const parentsFirst: Monitor[] = [];
  const visit = (monitor: Monitor) => {
    if (done.has(monitor.id)) return;
    done.add(monitor.id);
    const { dependsOn } = monitor;
    for (const id of Array.isArray(dependsOn) ? dependsOn : []) {
      const parent = byId.get(String(id));
      if (parent) visit(parent);
    }
    parentsFirst.push(monitor);
  };
  for (const monitor of monitors) visit(monitor);
  return parentsFirst.toReversed();
}
