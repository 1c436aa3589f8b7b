import { formatDuration, formatMinute } from '@/lib/core/time/duration';
import type { OutageFacts } from '@/lib/notify/notices';
import { type MailFact, oneLine } from '@/lib/platform/mail/queue-mail';
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
/** The longest target in an email. */
export const MAX_TARGET = 300;
/** More are counted. */
const MAX_REGIONS = 10;

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

/** What is known of an outage, as a table: its cause, what is checked from where, since when, and what changed. */
export function listOutage(
  { error, outage }: { error: string | null; outage?: OutageFacts | undefined },
  now: 'down' | 'operational',
): MailFact[] {
  const isOver = now === 'operational';
  const cause = isOver && error === null ? [] : [{ text: 'Cause', detail: formatError({ error }) }];
  if (outage === undefined) return cause;
  const { since, before, marker } = outage;
  const change = isOver ? 'down → operational' : before === null ? null : `${before} → down`;
  return [
    ...cause,
    ...listTarget(outage),
    ...listRegions(outage),
    ...(since === null ? [] : [{ text: isOver ? 'Down since' : 'Since', detail: formatMinute(since) }]),
    ...(change === null ? [] : [{ text: 'Status', detail: change }]),
    ...(marker === null ? [] : [{ text: 'Changed', detail: formatMarker(marker) }]),
  ];
}

/** What is checked; nothing for a heartbeat. */
export function listTarget(outage: OutageFacts | undefined): MailFact[] {
  if (outage === undefined || outage.target === '') return [];
  return [{ text: 'Target', detail: oneLine(outage.target, MAX_TARGET) }];
}

function listRegions({ regions, voting }: OutageFacts): MailFact[] {
  if (regions.length === 0) return [];
  const names = regions.slice(0, MAX_REGIONS).map((name) => oneLine(name, MAX_NAME));
  const more = regions.length > names.length ? ` and ${regions.length - names.length} more` : '';
  const share = voting > 1 ? ` (${regions.length} of ${voting})` : '';
  return [{ text: voting > 1 ? 'Regions' : 'Region', detail: `${names.join(', ')}${more}${share}` }];
}

function formatMarker({ title, at }: NonNullable<OutageFacts['marker']>): string {
  return `${oneLine(title, MAX_NAME)}, ${formatMinute(at)}`;
}

/** The same in a list, as a sentence; nothing if it is unknown. */
export function formatPlace(outage: OutageFacts | undefined): string[] {
  if (outage === undefined) return [];
  const [regions] = listRegions(outage);
  const place = regions === undefined ? '' : `In ${regions.detail}`;
  if (outage.since === null) return place === '' ? [] : [place];
  return [`${place === '' ? 'Since' : `${place} since`} ${formatMinute(outage.since)}`];
}
