/** “, and 41 that depend on it”, to follow what happened to a monitor; empty without any. */
export function formatDependents(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ', and 1 that depends on it' : `, and ${count} that depend on it`;
}
