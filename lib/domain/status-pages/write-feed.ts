import { Feed } from 'feed';
import { formatDuration } from '@/lib/core/duration';
import type { PublicIncident } from '@/lib/schemas/status-page';
import { escapeMarkup, printable } from './markup';
import type { FeedMaintenance, FeedPostmortem } from './read-feed-entries';

/** What a feed tells of a page, and where the page is for who reads it. */
export type FeedSource = {
  page: { id: string; name: string; description: string | null; updatedAt: string };
  incidents: PublicIncident[];
  postmortems: FeedPostmortem[];
  maintenance: FeedMaintenance[];
  /** By id; those on the page. */
  monitorNames: ReadonlyMap<string, string>;
  /** The address of the page, without a slash at the end. */
  address: string;
  serviceName: string;
};

export type FeedFormat = 'atom' | 'rss';

/**
 * The incidents, their postmortems and the maintenance of a page as Atom 1.0 or RSS 2.0, the latest news first. An entry
 * keeps its id under whatever address the page is read, and through every update; `updated` tells readers of one.
 */
export function writeFeed(source: FeedSource, format: FeedFormat): string {
  const { page, incidents, postmortems, maintenance, address, serviceName } = source;
  const name = plain(page.name);
  const feed = new Feed({
    id: permanentId(page.id),
    title: name,
    description: plain(page.description ?? `Incidents and maintenance of ${page.name}`),
    link: address,
    feed: `${address}/feed.${format}`,
    updated: latest([page, ...incidents, ...postmortems, ...maintenance]),
    author: { name },
    generator: serviceName,
  });
  for (const { html, ...entry } of listEntries(source)) {
    // Where readers of each format look for the text.
    feed.addItem({ ...entry, ...(format === 'atom' ? { content: html } : { description: html }) });
  }
  return format === 'atom' ? feed.atom1() : feed.rss2();
}

type Entry = { id: string; title: string; link: string; published: Date; date: Date; html: string };

function listEntries({ incidents, postmortems, maintenance, monitorNames, address }: FeedSource): Entry[] {
  const entries = [
    ...incidents.map((incident) => ({
      id: permanentId(incident.id),
      title: escapeMarkup(incident.title),
      link: `${address}/incidents/${incident.id}`,
      ...datesOf(incident),
      html: writeIncident(incident, monitorNames),
    })),
    ...postmortems.map(({ incidentId, title, text, updatedAt }) => ({
      id: permanentId(`${incidentId}/postmortem`),
      title: escapeMarkup(`Postmortem: ${title}`),
      link: `${address}/incidents/${incidentId}#postmortem`,
      ...datesOf({ createdAt: updatedAt, updatedAt }),
      html: `<p>${lines(text)}</p>`,
    })),
    ...maintenance.map((occurrence) => ({
      // Each occurrence of a window is news of its own.
      id: permanentId(`${occurrence.id}/${occurrence.startsAt}`),
      title: escapeMarkup(`Maintenance: ${occurrence.title}`),
      link: address,
      ...datesOf(occurrence),
      html: writeMaintenance(occurrence, monitorNames),
    })),
  ];
  return entries.toSorted((a, b) => b.date.getTime() - a.date.getTime());
}

function datesOf({ createdAt, updatedAt }: { createdAt: string; updatedAt: string }) {
  return { published: new Date(createdAt), date: new Date(updatedAt) };
}

/** A tag URI (RFC 4151). Our ids are unique by themselves; a host in it would change with the address of the service. */
function permanentId(id: string): string {
  return `tag:pharos,2026:${id}`;
}

/** For elements that hold text: the library turns each `&amp;` of it into `&` before it escapes. */
function plain(text: string): string {
  return printable(text).replaceAll('&amp;', '&amp;amp;');
}

/** The text of an entry as HTML. All that somebody wrote is escaped, so that no `]]>` can end the library's CDATA. */
function writeIncident(incident: PublicIncident, monitorNames: ReadonlyMap<string, string>): string {
  // The first update of an incident says what its description says.
  const isToldAnyway = ['', incident.updates.at(-1)?.message].includes(incident.description);
  return [
    `<p>${capitalize(incident.severity)} incident, ${incident.status}.</p>`,
    `<p>${describeSpan(incident)}</p>`,
    ...writeAffected(incident.affectedMonitors, monitorNames),
    ...(isToldAnyway ? [] : [`<p>${lines(incident.description)}</p>`]),
    ...incident.updates.map(({ status, message, createdAt }) => {
      const head = `<strong>${capitalize(status)}</strong>, ${describeMoment(createdAt)}`;
      return `<p>${head}<br>${lines(message)}</p>`;
    }),
  ].join('\n');
}

function describeSpan({ startedAt, resolvedAt }: PublicIncident): string {
  if (resolvedAt === null) return `Since ${describeMoment(startedAt)}.`;
  const length = formatDuration(Date.parse(resolvedAt) - Date.parse(startedAt));
  return `From ${describeMoment(startedAt)}, for ${length}.`;
}

const MAINTENANCE = { scheduled: 'Planned', active: 'In progress', finished: 'Finished' } as const;

function writeMaintenance(
  { status, message, monitors, startsAt, endsAt }: FeedMaintenance,
  monitorNames: ReadonlyMap<string, string>,
): string {
  return [
    `<p>${MAINTENANCE[status]}, from ${describeMoment(startsAt)} to ${describeMoment(endsAt)}.</p>`,
    ...writeAffected(monitors, monitorNames),
    ...(message === '' ? [] : [`<p>${lines(message)}</p>`]),
  ].join('\n');
}

function writeAffected(ids: string[], monitorNames: ReadonlyMap<string, string>): string[] {
  const affected = ids.map((id) => monitorNames.get(id) ?? '').filter(Boolean);
  return affected.length > 0 ? [`<p>Affected: ${affected.map(escapeMarkup).join(', ')}.</p>`] : [];
}

function latest(things: { updatedAt: string }[]): Date {
  return new Date(Math.max(...things.map(({ updatedAt }) => Date.parse(updatedAt))));
}

function lines(text: string): string {
  return escapeMarkup(text).replace(/\r?\n/g, '<br>');
}

function capitalize(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** `2026-03-10 12:00 UTC` */
function describeMoment(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
