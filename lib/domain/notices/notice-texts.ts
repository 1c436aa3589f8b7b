import { formatDuration, formatMinute } from '@/lib/core/time/duration';
import { oneLine } from '@/lib/platform/mail/queue-mail';
import type {
  RecoveredMonitor,
  ReturnedProbe,
  ReturnedRegion,
  SilentProbe,
  SilentRegion,
} from './summarize-notices';

/** The longest name in an email. */
export const MAX_NAME = 100;
const MAX_ERROR = 200;

/** Since when no worker has run in a region. */
export function formatSilence({ region, since }: SilentRegion): string {
  return `No worker has run in ${region} since ${formatMinute(since)}.`;
}

/** How long a region sent no data. */
export function formatReturn({ region, seconds }: ReturnedRegion): string {
  return `${region} sent no data for ${formatDuration(seconds * 1000)}.`;
}

/** Since when a probe has not reported. */
export function formatSilentProbe({ region, since }: SilentProbe): string {
  return `It has not reported from ${oneLine(region, MAX_NAME)} since ${formatMinute(since)}.`;
}

/** How long a probe had not reported. */
export function formatReturnedProbe({ region, seconds }: ReturnedProbe): string {
  return `It reports from ${oneLine(region, MAX_NAME)} again, after ${formatDuration(seconds * 1000)}.`;
}

/** The host of a probe, short enough for a subject. */
export function hostOf({ host }: { host: string }): string {
  return nameOf({ name: host });
}

/** A number with its noun. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A name on one line, short enough for a subject. */
export function nameOf({ name }: { name: string }): string {
  return oneLine(name, MAX_NAME);
}

/** The error of a check on one line. */
export function formatError({ error }: { error: string | null }): string {
  return oneLine(error ?? 'check failed', MAX_ERROR);
}

/** “Down too: Blog, Shop and 39 more.” */
export function formatAffected(others: number, names: string[]): string {
  const more = others > names.length ? ` and ${others - names.length} more` : '';
  return `Down too: ${names.map((name) => nameOf({ name })).join(', ')}${more}.`;
}

/** How long a monitor was down. */
export function formatDowntime({ downtime }: RecoveredMonitor): string {
  return `down for ${formatDuration(downtime * 1000)}`;
}

/** How long a monitor was down, and why. */
export function formatRecovery(monitor: RecoveredMonitor): string {
  const downtime = formatDowntime(monitor);
  return monitor.error === null ? downtime : `${downtime}: ${formatError(monitor)}`;
}

/** When notices occurred, to the minute. */
export function formatSpan(from: Date, to: Date): string {
  const [first, last] = [formatMinute(from), formatMinute(to)];
  return first === last ? `at ${first}` : `between ${first} and ${last}`;
}
