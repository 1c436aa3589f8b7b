import { formatDuration } from './duration';

/** A past moment as people say it: `just now`, `12s ago`, `1h 5m ago`. A moment ahead of a slightly late clock is now. */
export function formatAgo(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  return ms < 1000 ? 'just now' : `${formatDuration(ms)} ago`;
}

/** A moment to come as people say it: `in 45s`, `in 1h 5m`. One that is due, or was, is now. */
export function formatUntil(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  return ms < 1000 ? 'now' : `in ${formatDuration(ms)}`;
}

/** The exact moment in UTC for a label: `2026-11-20 14:03:07 UTC`. */
export function formatExact(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
