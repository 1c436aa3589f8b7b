import { formatDuration } from '@/lib/core/duration';
import type { MailBlock, MailContent, MailLine } from '@/lib/platform/mail/queue-mail';
import { oneLine } from '@/lib/platform/mail/queue-mail';
import { formatMoment } from './format-moment';
import type { Notice } from './write-notices';
import {
  type News,
  type RecoveredMonitor,
  type ReturnedRegion,
  type SilentRegion,
  sumUp,
} from './write-notices';

/** A list that is longer goes on with "and N more". */
const MAX_LINES = 50;
const MAX_NAME = 100;
const MAX_ERROR = 200;

const WHAT_TO_DO =
  'Let the receiver answer with a 2xx status, enable the endpoint again, and recover the deliveries that it missed.';

const START_A_WORKER =
  'Start a worker for this region, or check that its machine runs and reaches the database.';

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
    footnote: `You get this mail as a member of ${oneLine(organizationName, MAX_NAME)}.`,
  };
}

type Link = (path: string) => string | undefined;

function tellOne(news: News, link: Link): MailContent | null {
  const { down, recovered, silent, returned, disabled, to } = news;
  if (down.length + recovered.length + silent.length + returned.length + disabled.length > 1) return null;
  const [region] = silent;
  const [back] = returned;
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
  if (region) {
    return {
      subject: `No data from ${region.region}`,
      preheader: describeSilence(region),
      blocks: [
        { paragraph: describeSilence(region) },
        ...(region.effect === null ? [] : [{ paragraph: region.effect }]),
        { paragraph: START_A_WORKER },
      ],
      ...button('Open the monitors', link('/monitors')),
    };
  }
  if (back) {
    return {
      subject: `Data from ${back.region} is back`,
      preheader: describeReturn(back),
      blocks: [{ paragraph: describeReturn(back) }, noticed],
      ...button('Open the monitors', link('/monitors')),
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

function tellMany(news: News, link: Link): MailContent {
  const { down, recovered, silent, returned, disabled, from, to } = news;
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
    ...section('No data', silent, (region) => ({
      text: region.region,
      detail: [describeSilence(region), region.effect ?? ''].join(' ').trim(),
      url: link('/monitors'),
    })),
    ...section('Data is back', returned, (region) => ({
      text: region.region,
      detail: describeReturn(region),
      url: link('/monitors'),
    })),
    ...section('Disabled webhook endpoints', disabled, (endpoint) => ({
      text: nameOf(endpoint),
      detail: 'every try failed for five days',
      url: link(`/notifications/${endpoint.id}`),
    })),
    ...(disabled.length > 0 ? [{ paragraph: WHAT_TO_DO }] : []),
  ];
  return {
    subject: summarize(news),
    preheader: [...down, ...recovered, ...[...silent, ...returned].map(toNamed), ...disabled]
      .slice(0, MAX_LINES)
      .map(nameOf)
      .join(', '),
    blocks,
    ...(down.length + recovered.length + silent.length + returned.length > 0
      ? button('Open the monitors', link('/monitors'))
      : button('Open the webhook endpoints', link('/notifications'))),
  };
}

function section<T>(title: string, subjects: T[], toLine: (subject: T) => MailLine): MailBlock[] {
  if (subjects.length === 0) return [];
  const lines = subjects.slice(0, MAX_LINES).map(toLine);
  const left = subjects.length - lines.length;
  const more = left > 0 ? [{ text: `and ${left} more` }] : [];
  return [{ heading: `${title} (${subjects.length})` }, { list: [...lines, ...more] }];
}

function summarize({ down, recovered, silent, returned, disabled }: News): string {
  const split = [
    ...(down.length > 0 ? [`${down.length} down`] : []),
    ...(recovered.length > 0 ? [`${recovered.length} up`] : []),
  ];
  const regions = (all: { region: string }[]) => all.map(({ region }) => region).join(', ');
  const parts = [
    ...(silent.length > 0 ? [`no data from ${regions(silent)}`] : []),
    ...(returned.length > 0 ? [`data from ${regions(returned)} is back`] : []),
    ...(split.length > 0
      ? [`${count(down.length + recovered.length, 'monitor')} changed: ${split.join(', ')}`]
      : []),
    ...(disabled.length > 0 ? [`${count(disabled.length, 'webhook endpoint')} disabled`] : []),
  ];
  const subject = parts.join('; ');
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}`;
}

function describeSilence({ region, since }: SilentRegion): string {
  return `No worker has run in ${region} since ${formatMoment(since)}.`;
}

function describeReturn({ region, seconds }: ReturnedRegion): string {
  return `${region} sent no data for ${formatDuration(seconds * 1000)}.`;
}

function toNamed({ region }: { region: string }): { name: string } {
  return { name: region };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function nameOf({ name }: { name: string }): string {
  return oneLine(name, MAX_NAME);
}

function explain({ error }: { error: string | null }): string {
  return oneLine(error ?? 'check failed', MAX_ERROR);
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
