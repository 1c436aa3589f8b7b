/** What monitors depend on, by ID. */
export type Edges = ReadonlyMap<string, readonly string[]>;

/**
 * The way back to a monitor that would depend on others: it comes first and last. Null without one. Visits each monitor at most once.
 */
export function findCycle(edges: Edges, id: string, dependsOn: readonly string[]): string[] | null {
  /** From where each monitor was reached. */
  const reachedFrom = new Map<string, string>();
  const pending = [{ from: id, next: dependsOn }];
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    for (const each of step.next) {
      if (each === id) return wayTo(step.from, reachedFrom, id);
      if (reachedFrom.has(each)) continue;
      reachedFrom.set(each, step.from);
      pending.push({ from: each, next: edges.get(each) ?? [] });
    }
  }
  return null;
}

function wayTo(last: string, reachedFrom: ReadonlyMap<string, string>, id: string): string[] {
  const way = [id];
  for (let at: string | undefined = last; at !== undefined && at !== id; at = reachedFrom.get(at)) {
    way.unshift(at);
  }
  return [id, ...way];
}
