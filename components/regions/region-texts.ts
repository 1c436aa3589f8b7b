/** `3 monitors`. */
export function formatMonitors(count: number): string {
  return `${count} ${count === 1 ? 'monitor' : 'monitors'}`;
}

/** Whether a version precedes another one: `0.9.0` before `0.10.0`. */
export function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}

/** `0.25`, `12.5`, `340`: checks per second, with as many digits as mean something. */
export function formatRate(perSecond: number): string {
  return perSecond.toLocaleString('en-US', {
    maximumFractionDigits: perSecond < 10 ? 2 : perSecond < 100 ? 1 : 0,
  });
}
