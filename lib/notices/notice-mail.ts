import { formatDuration } from '@/lib/core/duration';
import type { MailBlock, MailContent, MailLine } from '@/lib/mail/mail-content';
import { oneLine } from '@/lib/mail/one-line';
import { formatMoment } from './format-moment';
import { type News, type RecoveredMonitor, sumUp } from './sum-up';
import type { Notice } from './write-notices';

/** A list that is longer goes on with "and N more". */
const MOST_LINES = 50;
const MOST_NAME = 100;
const MOST_ERROR = 200;

const WHAT_TO_DO =
  'Let the receiver answer with a 2xx status, enable the endpoint again, and recover the deliveries that it missed.';

type Surroundings = {
  organizationName: string;
  /** APP_URL; without it there is no link. */
  appUrl: string | null;
};

/** The one mail that tells a member of notices, in the order in which they were written; there has to be one. */
export function composeNoticeMail(notices: Notice[], surroundings: Surroundings): MailContent {
  const news = sumUp(notices);
  const { appUrl, organizationName } = surroundings;
  const link = (path: string) => (appUrl === null ? undefined : `${appUrl}${path}`);
  return {
    ...(tellOne(news, link) ?? tellMany(news, link)),
    footnote: `You get this mail as a member of ${oneLine(organizationName, MOST_NAME)}.`,
  };
}

type Link = (path: string) => string | undefined;

function tellOne({ down, recovered, disabled, to }: News, link: Link): MailContent | null {
  if (down.length + recovered.length + disabled.length > 1) return null;
  const [failing] = down;
  const [well] = recovered;
  const [endpoint] = disabled;
  const noticed = { paragraph: `Noticed ${formatMoment(to)}.` };
  if (failing) {
    const error = explain(failing);
    return {
      subject: `${nameOf(failing)} is down`,
      preheader: error,
      blocks: [{ paragraph: error }, noticed],
      ...button('Open the monitor', link(`/monitors/${failing.id}`)),
    };
  }
  if (well) {
    const downtime = `It was ${describeDowntime(well)}.`;
    const error = well.error === null ? [] : [{ paragraph: `What was wrong: ${explain(well)}` }];
    return {
      subject: `${nameOf(well)} is up again`,
      preheader: downtime,
      blocks: [{ paragraph: downtime }, ...error, noticed],
      ...button('Open the monitor', link(`/monitors/${well.id}`)),
    };
  }
  if (endpoint) {
    return {
      subject: `Webhook endpoint ${nameOf(endpoint)} was disabled`,
      blocks: [
        { paragraph: 'Every try failed for five days, so nothing more is sent to it.' },
        { paragraph: WHAT_TO_DO },
        noticed,
      ],
      ...button('Open the endpoint', link(`/notifications/${endpoint.id}`)),
    };
  }
  return null;
}

function tellMany({ down, recovered, disabled, from, to }: News, link: Link): MailContent {
  const blocks: MailBlock[] = [
    { paragraph: `Noticed ${formatSpan(from, to)}.` },
    ...section('Down', down, (monitor) => ({
      text: nameOf(monitor),
      detail: explain(monitor),
      url: link(`/monitors/${monitor.id}`),
    })),
    ...section('Up again', recovered, (monitor) => ({
      text: nameOf(monitor),
      detail: describeRecovery(monitor),
      url: link(`/monitors/${monitor.id}`),
    })),
    ...section('Disabled webhook endpoints', disabled, (endpoint) => ({
      text: nameOf(endpoint),
      detail: 'every try failed for five days',
      url: link(`/notifications/${endpoint.id}`),
    })),
    ...(disabled.length > 0 ? [{ paragraph: WHAT_TO_DO }] : []),
  ];
  return {
    subject: summarize(down.length, recovered.length, disabled.length),
    preheader: [...down, ...recovered, ...disabled].slice(0, MOST_LINES).map(nameOf).join(', '),
    blocks,
    ...(down.length + recovered.length > 0
      ? button('Open the monitors', link('/monitors'))
      : button('Open the webhook endpoints', link('/notifications'))),
  };
}

function section<T>(title: string, subjects: T[], toLine: (subject: T) => MailLine): MailBlock[] {
  if (subjects.length === 0) return [];
  const lines = subjects.slice(0, MOST_LINES).map(toLine);
  const left = subjects.length - lines.length;
  const more = left > 0 ? [{ text: `and ${left} more` }] : [];
  return [{ heading: `${title} (${subjects.length})` }, { list: [...lines, ...more] }];
}

function summarize(down: number, up: number, disabled: number): string {
  const endpoints = `${count(disabled, 'webhook endpoint')} disabled`;
  if (down + up === 0) return endpoints;
  const split = [...(down > 0 ? [`${down} down`] : []), ...(up > 0 ? [`${up} up`] : [])].join(', ');
  const monitors = `${count(down + up, 'monitor')} changed: ${split}`;
  return disabled === 0 ? monitors : `${monitors}; ${endpoints}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function nameOf({ name }: { name: string }): string {
  return oneLine(name, MOST_NAME);
}

function explain({ error }: { error: string | null }): string {
  return oneLine(error ?? 'check failed', MOST_ERROR);
}

function describeDowntime({ downtime }: RecoveredMonitor): string {
  return `down for ${formatDuration(downtime * 1000)}`;
}

function describeRecovery(monitor: RecoveredMonitor): string {
  const downtime = describeDowntime(monitor);
  return monitor.error === null ? downtime : `${downtime}: ${explain(monitor)}`;
}

function button(label: string, url: string | undefined): Pick<MailContent, 'button'> {
  return url === undefined ? {} : { button: { label, url } };
}

function formatSpan(from: Date, to: Date): string {
  const [first, last] = [formatMoment(from), formatMoment(to)];
  return first === last ? first : `from ${first} to ${last}`;
}
