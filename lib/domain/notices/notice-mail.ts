import { capitalize } from '@/lib/core/text';
import { formatMinute } from '@/lib/core/time/duration';
import type { Notice } from '@/lib/notify/notices';
import {
  type MailBlock,
  type MailContent,
  type MailFact,
  type MailLine,
  oneLine,
} from '@/lib/platform/mail/queue-mail';
import {
  type FlappingNote,
  formatFlappingText,
  formatFlappingTitle,
  formatSpells,
} from '@/lib/state/announcements/flapping-note';
import { formatDependents } from '@/lib/state/announcements/format-dependents';
import {
  count,
  formatAffected,
  formatDowntime,
  formatError,
  formatPlace,
  formatRecovery,
  formatReturn,
  formatReturnedProbe,
  formatSilence,
  formatSilentProbe,
  formatSpan,
  hostOf,
  listOutage,
  listTarget,
  MAX_NAME,
  nameOf,
} from './notice-texts';
import {
  type FlappingMonitor,
  type NoticeSummary,
  type RecoveredMonitor,
  summarizeNotices,
} from './summarize-notices';

/** Longer lists end with "and N more". */
export const MAX_LINES = 50;

const FIX_ENDPOINT =
  'Make sure the receiver responds with a 2xx status, then enable the channel again and recover the missed deliveries.';

const START_WORKER =
  'Start a worker for this region, or check that its machine is running and can reach the database.';

const CHECK_PROBE =
  'Check that its machine is running and can reach this service. If it no longer exists, revoke its token.';

type Context = {
  organizationName: string;
  /** APP_URL; null: the email has no links. */
  appUrl: string | null;
  /** Whether the reader can sign in; otherwise the email has no links to the dashboard. */
  isMember?: boolean;
  /** If all notices belong to one story: what its monitors have in common, and whether members heard of the first of them before. */
  story?: { cause: string; isRest: boolean } | null;
};

/** The email that notifies a member or an email recipient of one or more notices, given in the order in which they were written. */
export function composeNoticeMail(
  notices: Notice[],
  { appUrl, organizationName, story = null, isMember = true }: Context,
): MailContent {
  const summary = summarizeNotices(notices);
  const link = (path: string) => (appUrl === null || !isMember ? undefined : `${appUrl}${path}`);
  const content = composeSingle(summary, link) ?? composeDigest(summary, link);
  return {
    ...(story === null ? content : addStory(content, summary, story)),
    footnote: isMember ? memberFootnote(organizationName) : recipientFootnote(organizationName),
  };
}

/** Adds what the monitors of a story have in common to the mail and, to the rest of a story, that there were others before. */
function addStory(
  content: MailContent,
  { down, recovered }: NoticeSummary,
  { cause, isRest }: { cause: string; isRest: boolean },
): MailContent {
  const count = down.length + recovered.length;
  const blocks =
    cause === '' || count < (isRest ? 1 : 2)
      ? content.blocks
      : [{ paragraph: `${capitalize(cause)}.` }, ...content.blocks];
  if (!isRest || count < 2) return { ...content, blocks };
  const subject =
    recovered.length === 0
      ? `${count} more monitors are down`
      : down.length === 0
        ? `${count} more monitors are back up`
        : `${count} more monitors went down, ${recovered.length} of them are back up`;
  return { ...content, subject, blocks };
}

/** Why a member receives an email. */
export function memberFootnote(organizationName: string): string {
  return `You receive this email because you are a member of ${oneLine(organizationName, MAX_NAME)}.`;
}

/** Why somebody without an account receives an email. */
export function recipientFootnote(organizationName: string): string {
  return `You receive this email because you confirmed that ${oneLine(organizationName, MAX_NAME)} may send alerts to this address.`;
}

type Link = (path: string) => string | undefined;

function composeSingle(summary: NoticeSummary, link: Link): MailContent | null {
  const { down, recovered, silent, returned, silentProbes, returnedProbes, disabled, to } = summary;
  const flapping = [...summary.flapping, ...summary.steady];
  const all = [down, recovered, flapping, silent, returned, silentProbes, returnedProbes, disabled];
  if (all.flat().length > 1) return null;
  const [[failing], [up], [region], [back], [endpoint]] = [down, recovered, silent, returned, disabled];
  const [[probe], [backProbe]] = [silentProbes, returnedProbes];
  const detected = `Detected at ${formatMinute(to)}.`;
  if (failing) return composeDown(failing, to, link);
  if (up) return composeUp(up, to, link);
  const [flapped] = flapping;
  if (flapped) {
    const error = flapped.error === null || flapped.note.kind === 'ended' ? null : formatError(flapped);
    const { title, sentences } = formatFlapping(nameOf(flapped), flapped.note, error);
    const view = button('View monitor', link(`/monitors/${flapped.id}`));
    const content = composeText(title, sentences, view);
    return {
      ...content,
      blocks: [...content.blocks, { list: [...listTarget(flapped.outage), detectedAt(to)] }],
    };
  }
  const viewMonitors = button('View monitors', link('/monitors'));
  if (region) {
    const effect = region.effect === null ? [] : [region.effect];
    const subject = `No data from ${region.region}`;
    return composeText(subject, [formatSilence(region), ...effect, START_WORKER], viewMonitors);
  }
  if (back) {
    const subject = `${back.region} is sending data again`;
    return composeText(subject, [formatReturn(back), detected], viewMonitors);
  }
  const viewRegions = button('View regions', link('/settings/regions'));
  if (probe) {
    return composeText(
      `Probe ${hostOf(probe)} is silent`,
      [formatSilentProbe(probe), CHECK_PROBE],
      viewRegions,
    );
  }
  if (backProbe) {
    const subject = `Probe ${hostOf(backProbe)} is back`;
    return composeText(subject, [formatReturnedProbe(backProbe), detected], viewRegions);
  }
  if (endpoint) {
    const cause = 'Every attempt failed for five days, so no more events are sent to it.';
    const view = button('View channel', link(`/notifications/${endpoint.id}`));
    const subject = `Channel ${nameOf(endpoint)} was disabled`;
    return { ...composeText(subject, [cause, FIX_ENDPOINT, detected], view), preheader: undefined };
  }
  return null;
}

function composeDown(failing: NoticeSummary['down'][number], at: Date, link: Link): MailContent {
  const { all = 0, down: others = 0, names = [] } = failing.dependents ?? {};
  const affected = others === 0 ? [] : [formatAffected(others, names)];
  const below = [...listFlappingHistory(failing.flapping), ...affected];
  return {
    subject: `${nameOf(failing)} is down${formatDependents(all)}`,
    preheader: formatError(failing),
    blocks: [
      { list: [...listOutage(failing, 'down'), detectedAt(at)] },
      ...below.map((paragraph) => ({ paragraph })),
    ],
    ...button('View monitor', link(`/monitors/${failing.id}`)),
  };
}

function composeUp(up: RecoveredMonitor, at: Date, link: Link): MailContent {
  const standing = `It was ${formatDowntime(up)}.`;
  return {
    subject: `${nameOf(up)} is back up`,
    preheader: standing,
    blocks: [{ paragraph: standing }, { list: [...listOutage(up, 'operational'), detectedAt(at)] }],
    ...button('View monitor', link(`/monitors/${up.id}`)),
  };
}

function detectedAt(at: Date): MailFact {
  return { text: 'Detected', detail: formatMinute(at) };
}

function composeText(
  subject: string,
  paragraphs: [string, ...string[]],
  view: Pick<MailContent, 'button'>,
): MailContent {
  const blocks = paragraphs.map((paragraph) => ({ paragraph }));
  return { subject, preheader: paragraphs[0], blocks, ...view };
}

function composeDigest(summary: NoticeSummary, link: Link): MailContent {
  const { down, recovered, silent, returned, silentProbes, returnedProbes, disabled, from, to } = summary;
  const { flapping, steady } = summary;
  const blocks: MailBlock[] = [
    { paragraph: `Detected ${formatSpan(from, to)}.` },
    ...section('Down', down, (monitor) => ({
      text: nameOf(monitor),
      detail: [
        `${formatError(monitor)}${formatDependents(monitor.dependents?.all ?? 0)}`,
        ...formatPlace(monitor.outage),
        ...listFlappingHistory(monitor.flapping),
      ].join('. '),
      url: link(`/monitors/${monitor.id}`),
    })),
    ...section('Back up', recovered, (monitor) => ({
      text: nameOf(monitor),
      detail: formatRecovery(monitor),
      url: link(`/monitors/${monitor.id}`),
    })),
    ...section('Flapping', flapping, (monitor) => formatFlappingLine(monitor, link)),
    ...section('No longer flapping', steady, (monitor) => formatFlappingLine(monitor, link)),
    ...section('No data', silent, (region) => ({
      text: region.region,
      detail: [formatSilence(region), region.effect ?? ''].join(' ').trim(),
      url: link('/monitors'),
    })),
    ...section('Data received again', returned, (region) => ({
      text: region.region,
      detail: formatReturn(region),
      url: link('/monitors'),
    })),
    ...section('Silent probes', silentProbes, (probe) => ({
      text: hostOf(probe),
      detail: formatSilentProbe(probe),
      url: link('/settings/regions'),
    })),
    ...section('Probes reporting again', returnedProbes, (probe) => ({
      text: hostOf(probe),
      detail: formatReturnedProbe(probe),
      url: link('/settings/regions'),
    })),
    ...section('Disabled channels', disabled, (endpoint) => ({
      text: nameOf(endpoint),
      detail: 'every attempt failed for five days',
      url: link(`/notifications/${endpoint.id}`),
    })),
    ...(disabled.length > 0 ? [{ paragraph: FIX_ENDPOINT }] : []),
  ];
  const regions = [...silent, ...returned].map(({ region }) => ({ name: region }));
  const probes = [...silentProbes, ...returnedProbes].map(({ host }) => ({ name: host }));
  return {
    subject: formatSubject(summary),
    preheader: [...down, ...recovered, ...flapping, ...steady, ...regions, ...probes, ...disabled]
      .slice(0, MAX_LINES)
      .map(nameOf)
      .join(', '),
    blocks,
    ...([down, recovered, flapping, steady, silent, returned].flat().length > 0
      ? button('View monitors', link('/monitors'))
      : probes.length > 0
        ? button('View regions', link('/settings/regions'))
        : button('View channels', link('/notifications/channels'))),
  };
}

/** A heading with the number of subjects and their list, which ends with the number of those left out. */
export function section<T>(
  title: string,
  subjects: T[],
  toLine: (subject: T) => MailLine,
  formatMore = (left: number) => `and ${left} more`,
): MailBlock[] {
  if (subjects.length === 0) return [];
  const lines = subjects.slice(0, MAX_LINES).map(toLine);
  const left = subjects.length - lines.length;
  const more = left > 0 ? [{ text: formatMore(left) }] : [];
  return [{ heading: `${title} (${subjects.length})` }, { list: [...lines, ...more] }];
}

function formatFlappingLine({ id, name, note }: FlappingMonitor, link: Link): MailLine {
  return { text: nameOf({ name }), detail: formatFlappingDetail(note), url: link(`/monitors/${id}`) };
}

function formatSubject(summary: NoticeSummary): string {
  const { down, recovered, flapping, steady, silent, returned, silentProbes, returnedProbes, disabled } =
    summary;
  const changed = [down, recovered, flapping, steady].flat().length;
  const split = [
    ...(down.length > 0 ? [`${down.length} down`] : []),
    ...(recovered.length > 0 ? [`${recovered.length} up`] : []),
    ...(flapping.length > 0 ? [`${flapping.length} flapping`] : []),
    ...(steady.length > 0 ? [`${steady.length} no longer flapping`] : []),
  ];
  const regions = (all: { region: string }[]) => all.map(({ region }) => region).join(', ');
  const parts = [
    ...(silent.length > 0 ? [`no data from ${regions(silent)}`] : []),
    ...(returned.length > 0 ? [`data from ${regions(returned)} again`] : []),
    ...(split.length > 0 ? [`${count(changed, 'monitor')} changed: ${split.join(', ')}`] : []),
    ...(silentProbes.length > 0 ? [`${count(silentProbes.length, 'probe')} silent`] : []),
    ...(returnedProbes.length > 0 ? [`${count(returnedProbes.length, 'probe')} back`] : []),
    ...(disabled.length > 0 ? [`${count(disabled.length, 'channel')} disabled`] : []),
  ];
  return capitalize(parts.join('; '));
}

/** The button of an email; none without a URL. */
export function button(label: string, url: string | undefined): Pick<MailContent, 'button'> {
  return url === undefined ? {} : { button: { label, url } };
}

/** What an email says about a monitor that flaps, or does not any more: its title, and the sentences below it. */
function formatFlapping(
  name: string,
  note: FlappingNote,
  error: string | null,
): { title: string; sentences: [string, ...string[]] } {
  const title = `${name} ${formatFlappingTitle(note)}`;
  const text = formatFlappingText(note);
  const cause = error === null ? [] : [`Error: ${error}`];
  return text === '' ? { title, sentences: [`${title}.`] } : { title, sentences: [text, ...cause] };
}

/** The same about a monitor in a list, next to its name. */
function formatFlappingDetail(note: FlappingNote): string {
  const [title, text] = [formatFlappingTitle(note), formatFlappingText(note)];
  return note.kind === 'began' ? text : `${title}. ${text}`.trim();
}

/** What the email about an outage says if the monitor flapped before it was steady; none if it did not. */
function listFlappingHistory(note: FlappingNote | null): string[] {
  if (note === null) return [];
  const spells = formatSpells(note);
  return [`It was flapping before${spells === '' ? '' : `: ${spells}`}.`];
}
