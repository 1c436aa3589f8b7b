import { Feed } from 'feed';
import type { PublicIncident } from '@/lib/schemas/status-page';
import { escapeMarkup, printable } from './markup';

/** What a feed tells of a page, and where the page is for who reads it. */
export type FeedSource = {
  page: { id: string; name: string; description: string | null; updatedAt: string };
  incidents: PublicIncident[];
  /** By id; those on the page. */
  monitorNames: ReadonlyMap<string, string>;
  /** The address of the page, without a slash at the end. */
  address: string;
  serviceName: string;
};

export type FeedFormat = 'atom' | 'rss';

/**
 * The incidents of a page as Atom 1.0 or RSS 2.0, newest first. An entry keeps its id under whatever address the page is
 * read, and through every update; `updated` tells readers of one.
 */
export function writeFeed(source: FeedSource, format: FeedFormat): string {
  const { page, incidents, address, serviceName } = source;
  const name = plain(page.name);
  const feed = new Feed({
    id: permanentId(page.id),
    title: name,
    description: plain(page.description ?? `Incidents of ${page.name}`),
    link: address,
    feed: `${address}/feed.${format}`,
    updated: latest([page, ...incidents]),
    author: { name },
    generator: serviceName,
  });
  for (const incident of incidents) {
    const html = writeIncident(incident, source.monitorNames);
    feed.addItem({
      id: permanentId(incident.id),
      title: escapeMarkup(incident.title),
      link: `${address}/incidents/${incident.id}`,
      published: new Date(incident.createdAt),
      date: new Date(incident.updatedAt),
      // Where readers of each format look for the text.
      ...(format === 'atom' ? { content: html } : { description: html }),
    });
  }
  return format === 'atom' ? feed.atom1() : feed.rss2();
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
  const affected = incident.affectedMonitors.map((id) => monitorNames.get(id) ?? '').filter(Boolean);
  // The first update of an incident says what its description says.
  const isToldAnyway = ['', incident.updates.at(-1)?.message].includes(incident.description);
  return [
    `<p>${capitalize(incident.severity)} incident, ${incident.status}.</p>`,
    ...(affected.length > 0 ? [`<p>Affected: ${affected.map(escapeMarkup).join(', ')}.</p>`] : []),
    ...(isToldAnyway ? [] : [`<p>${lines(incident.description)}</p>`]),
    ...incident.updates.map(({ status, message, createdAt }) => {
      const head = `<strong>${capitalize(status)}</strong>, ${describeMoment(createdAt)}`;
      return `<p>${head}<br>${lines(message)}</p>`;
    }),
  ].join('\n');
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
