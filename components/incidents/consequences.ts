import { type ResolutionPreview, WHEN_UP } from '@/lib/schemas/incidents/resolution-preview';
import { countSubscribers, formatNames, listNames, STATUS_LABELS } from './incident-texts';
import type { Audience } from './shown-on';

/** An open incident, what resolving it now would do, and whose subscribers would be notified. */
export type Resolving = { preview: ResolutionPreview; audience: Pick<Audience, 'notified' | 'emails'> };

export const WAIT_LABEL = 'Resolve when its monitors are up';

/** Whether anybody is notified that the incident is resolved. */
export function isHeard({ preview, audience }: Resolving): boolean {
  return preview.endpoints.length > 0 || audience.emails > 0;
}

/** Which affected monitors are not operational, and what becomes of the incident if it is left open; null if all are. */
export function formatFailing({ failing, end }: ResolutionPreview): string | null {
  if (failing.length === 0) return null;
  const names = listNames(failing.map(({ name }) => name));
  const states = [...new Set(failing.map(({ state }) => state))].sort().reverse().join(' or ');
  const still = `${names} ${failing.length === 1 ? 'is' : 'are'} still ${states}.`;
  return end === null ? still : `${still} ${formatEnd(end)}`;
}

function formatEnd(end: NonNullable<ResolutionPreview['end']>): string {
  return end.by === 'monitor'
    ? `This incident resolves by itself when ${end.name} is operational again.`
    : `This incident resolves by itself once its monitors have been operational for ${formatMinutes(end.minutes)}.`;
}

/** Who is notified of the end of an incident, and with which words. */
function formatNotified({ preview, audience }: Resolving): string[] {
  const { endpoints, message, headline } = preview;
  const { emails, notified } = audience;
  const receivers = [
    endpoints.length === 0 ? null : `${countChannels(endpoints.length)} (${formatNames(endpoints)})`,
    emails === 0 ? null : `${countSubscribers(emails)} of ${listNames(notified)}`,
  ].filter((each) => each !== null);
  if (receivers.length === 0) return ['Nobody is notified.'];
  const others = emails === 0 ? '' : ' Subscribers who chose other systems are not notified.';
  return [
    `This notifies ${receivers.join(' and ')}.${others} Members are not emailed.`,
    [
      ...(emails === 0 ? [] : [`Subscribers read: “${message}”`]),
      ...(endpoints.length === 0 ? [] : [`Channels get: “${headline}”`]),
    ].join(' '),
  ];
}

/** The consequences of resolving an incident now, a paragraph each. */
export function formatResolving(resolving: Resolving, status: keyof typeof STATUS_LABELS): string[] {
  const { preview } = resolving;
  const failing = formatFailing(preview);
  return [
    ...(failing === null ? [] : [failing]),
    ...formatSilence(preview),
    ...formatNotified(resolving),
    ...(offersWaiting(preview) ? [formatWaiting(status)] : []),
  ];
}

/** Whether it can be left to the monitors to resolve the incident, which they do not do yet. */
export function offersWaiting({ failing, end, canWait }: ResolutionPreview): boolean {
  return failing.length > 0 && end === null && canWait;
}

function formatWaiting(status: keyof typeof STATUS_LABELS): string {
  const sets =
    status === WHEN_UP.status ? '' : `sets the status to ${STATUS_LABELS[WHEN_UP.status]} now and `;
  return `“${WAIT_LABEL}” ${sets}resolves it once they have been operational for ${formatMinutes(WHEN_UP.resolveAfterMinutes)}.`;
}

/** Of an automatic incident that ends before its outage. */
function formatSilence({ failing, end }: ResolutionPreview): string[] {
  const isOwn = end?.by === 'monitor' && failing.some(({ name }) => name === end.name);
  return isOwn ? [`Once it is resolved, ${end.name} opens no other incident until its status changes.`] : [];
}

/** The consequences of deleting an incident, a paragraph each; `null`: it is resolved. */
export function formatDeleting(resolving: Resolving | null): string[] {
  const what =
    'This permanently deletes the incident with its updates and postmortem, and removes it from status pages.';
  if (resolving === null) return [`${what} No notifications are sent.`];
  return [`${what} It is resolved first.`, ...formatSilence(resolving.preview), ...formatNotified(resolving)];
}

function countChannels(count: number): string {
  return count === 1 ? '1 channel' : `${count} channels`;
}

function formatMinutes(minutes: number): string {
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

export const TEMPLATE_DELETION = 'Incidents that were opened from this template stay as they are.';

export const UPDATE_CANCELLATION = 'It will not be published.';
