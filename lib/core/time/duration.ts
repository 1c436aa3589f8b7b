const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in milliseconds, truncated to its two largest units: `45s`, `12m`, `1h 5m`, `2d 3h`. */
export function formatDuration(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / 1000)}s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)}h ${Math.floor((ms % HOUR) / MINUTE)}m`;
  return `${Math.floor(ms / DAY)}d ${Math.floor((ms % DAY) / HOUR)}h`;
}

/** A duration in milliseconds for screens, to its two largest units, without one that is zero: `45s`, `6h`, `1h 5m`. */
export function formatElapsed(ms: number): string {
  return withoutZero(formatDuration(ms));
}

/**
 * A measured or configured duration in milliseconds, to two decimals of a second and then to its two largest units, without
 * those that are zero: `250 ms`, `1.25s`, `30s`, `1m 30s`, `5m`, `2d 3h`.
 */
export function formatTiming(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  const seconds = Number((ms / 1000).toFixed(2));
  if (seconds < 60) return `${seconds}s`;
  if (seconds === 60) return '1m';
  const text = ms < HOUR ? `${formatDuration(ms)} ${Math.floor((ms % MINUTE) / 1000)}s` : formatDuration(ms);
  return withoutZero(text);
}

function withoutZero(text: string): string {
  return text.replace(/ 0[smh]$/, '');
}

/** A past time relative to now: `just now`, `12s ago`, `6h ago`, `1h 5m ago`. A future time, from clock skew, is `just now`. */
export function formatAgo(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  return ms < 1000 ? 'just now' : `${formatElapsed(ms)} ago`;
}

/** A future time relative to now: `in 45s`, `in 1h 5m`. A past time is `now`. */
export function formatUntil(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  return ms < 1000 ? 'now' : `in ${formatElapsed(ms)}`;
}

/** A time in UTC, to the minute: `2026-11-20 14:03 UTC`. */
export function formatMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A time in UTC, to the second: `2026-11-20 14:03:07 UTC`. */
export function formatExact(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
