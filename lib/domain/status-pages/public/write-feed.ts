import { escapeMarkup } from '@/lib/core/formats/markup';
import { formatDuration, formatMinute } from '@/lib/core/time/duration';
import type { PublicIncident } from '@/lib/schemas/status-pages/public-status-page';
import type { FeedMaintenance } from './read-public-maintenance';

/** The content of a feed and the URL of its page. */
export type FeedSource = {
  page: { id: string; name: string; description: string | null; updatedAt: string };
  incidents: PublicIncident[];
  postmortems: FeedPostmortem[];
  maintenance: FeedMaintenance[];
  /** The names of the page's rows, by ID. */
  names: ReadonlyMap<string, string>;
  /** The URL of the page, without a trailing slash. */
  address: string;
  serviceName: string;
};

/** A postmortem as a feed entry of its own, because it is often published long after the incident. */
export type FeedPostmortem = { incidentId: string; title: string; text: string; updatedAt: string };
export type FeedFormat = 'atom' | 'rss';

/** The latest entries of a feed, and its size: readers request it every few minutes. */
export const MAX_ENTRIES = 50;
const MAX_BYTES = 1_000_000;

/**
 * The incidents, postmortems and maintenance of a page as Atom 1.0 or RSS 2.0, latest changes first: at most 50, and those that fit into
 * 1 MB. The ID of an entry does not depend on the page's URL and survives updates, which change `updated`.
 */
export function writeFeed(source: FeedSource, format: FeedFormat): string {
  const { writeHead, writeEntry, end } = FORMATS[format];
  const head = writeHead(source);
  let left = MAX_BYTES - Buffer.byteLength(`${head}\n${end}`);
  const entries = listEntries(source)
    .slice(0, MAX_ENTRIES)
    .map(writeEntry)
    .filter((entry) => {
      const size = Buffer.byteLength(`${entry}\n`);
      if (size > left) return false;
      left -= size;
      return true;
    });
  return [head, ...entries, end].join('\n');
}

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>';

/**
 * Only the content of an entry is HTML. Titles are text: that is what Atom reads without a `type`, and RSS has HTML only in descriptions of
 * items. A title escaped as HTML, too, is shown with its entities by most readers.
 */
const FORMATS = {
  atom: { writeHead: writeAtomHead, writeEntry: writeAtomEntry, end: '</feed>\n' },
  rss: { writeHead: writeRssHead, writeEntry: writeRssItem, end: '</channel>\n</rss>\n' },
};

function writeAtomHead(source: FeedSource): string {
  const { page, address, serviceName } = source;
  return [
    DECLARATION,
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', permanentId(page.id)),
    element('title', page.name),
    element('subtitle', descriptionOf(page)),
    element('updated', latestChange(source).toISOString()),
    `<author>${element('name', page.name)}</author>`,
    element('generator', serviceName),
    `<link rel="alternate" href="${escapeMarkup(new URL(address).href)}"/>`,
    `<link rel="self" href="${escapeMarkup(`${address}/feed.atom`)}"/>`,
  ].join('\n');
}

function writeAtomEntry({ id, title, link, published, date, html }: Entry): string {
  return [
    '<entry>',
    element('id', id),
    element('title', title),
    `<link href="${escapeMarkup(link)}"/>`,
    element('published', published.toISOString()),
    element('updated', date.toISOString()),
    `<content type="html"><![CDATA[${html}]]></content>`,
    '</entry>',
  ].join('\n');
}

function writeRssHead(source: FeedSource): string {
  const { page, address, serviceName } = source;
  return [
    DECLARATION,
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    element('title', page.name),
    element('link', new URL(address).href),
    element('description', descriptionOf(page)),
    element('lastBuildDate', latestChange(source).toUTCString()),
    element('generator', serviceName),
    `<atom:link rel="self" type="application/rss+xml" href="${escapeMarkup(`${address}/feed.rss`)}"/>`,
  ].join('\n');
}

function writeRssItem({ id, title, link, published, html }: Entry): string {
  return [
    '<item>',
    element('title', title),
    element('link', link),
    `<guid isPermaLink="false">${escapeMarkup(id)}</guid>`,
    element('pubDate', published.toUTCString()),
    `<description><![CDATA[${html}]]></description>`,
    '</item>',
  ].join('\n');
}

function element(name: string, text: string): string {
  return `<${name}>${escapeMarkup(text)}</${name}>`;
}

function descriptionOf({ name, description }: FeedSource['page']): string {
  return description ?? `Incidents and maintenance of ${name}`;
}

type Entry = { id: string; title: string; link: string; published: Date; date: Date; html: string };

function listEntries({ incidents, postmortems, maintenance, names, address }: FeedSource): Entry[] {
  const entries = [
    ...incidents.map((incident) => ({
      id: permanentId(incident.id),
      title: incident.title,
      link: `${address}/incidents/${incident.id}`,
      ...datesOf(incident),
      html: writeIncident(incident, names),
    })),
    ...postmortems.map(({ incidentId, title, text, updatedAt }) => ({
      id: permanentId(`${incidentId}/postmortem`),
      title: `Postmortem: ${title}`,
      link: `${address}/incidents/${incidentId}#postmortem`,
      ...datesOf({ createdAt: updatedAt, updatedAt }),
      html: `<p>${lines(text)}</p>`,
    })),
    ...maintenance.map((occurrence) => ({
      // Each occurrence of a window is its own entry.
      id: permanentId(`${occurrence.id}/${occurrence.startsAt}`),
      title: `Maintenance: ${occurrence.title}`,
      link: address,
      ...datesOf(occurrence),
      html: writeMaintenance(occurrence, names),
    })),
  ];
  return entries.toSorted((a, b) => b.date.getTime() - a.date.getTime());
}

function datesOf({ createdAt, updatedAt }: { createdAt: string; updatedAt: string }) {
  return { published: new Date(createdAt), date: new Date(updatedAt) };
}

/** A tag URI (RFC 4151). Our IDs are globally unique; a host would change with the URL of the service. */
function permanentId(id: string): string {
  return `tag:pharos,2026:${id}`;
}

/** The text of an entry as HTML. Foreign text is escaped, so that `]]>` cannot end the CDATA section. */
function writeIncident(incident: PublicIncident, names: ReadonlyMap<string, string>): string {
  // The first update of an incident usually repeats its description.
  const isRepeated = ['', incident.updates.at(-1)?.message].includes(incident.description);
  return [
    `<p>${capitalize(incident.severity)} incident, ${incident.status}.</p>`,
    `<p>${formatSpan(incident)}</p>`,
    ...writeAffected([...incident.affectedMonitors, ...incident.affectedComponents], names),
    ...(isRepeated ? [] : [`<p>${lines(incident.description)}</p>`]),
    ...incident.updates.map(({ status, message, createdAt }) => {
      const head = `<strong>${capitalize(status)}</strong>, ${formatInstant(createdAt)}`;
      return `<p>${head}<br>${lines(message)}</p>`;
    }),
  ].join('\n');
}

function formatSpan({ startedAt, resolvedAt }: PublicIncident): string {
  if (resolvedAt === null) return `Since ${formatInstant(startedAt)}.`;
  const length = formatDuration(Date.parse(resolvedAt) - Date.parse(startedAt));
  return `From ${formatInstant(startedAt)}, for ${length}.`;
}

const MAINTENANCE = { scheduled: 'Scheduled', active: 'In progress', finished: 'Completed' } as const;

function writeMaintenance(
  { status, message, monitors, startsAt, endsAt }: FeedMaintenance,
  names: ReadonlyMap<string, string>,
): string {
  return [
    `<p>${MAINTENANCE[status]}, from ${formatInstant(startsAt)} to ${formatInstant(endsAt)}.</p>`,
    ...writeAffected(monitors, names),
    ...(message === '' ? [] : [`<p>${lines(message)}</p>`]),
  ].join('\n');
}

function writeAffected(ids: string[], names: ReadonlyMap<string, string>): string[] {
  const affected = ids.map((id) => names.get(id) ?? '').filter(Boolean);
  return affected.length > 0 ? [`<p>Affected: ${affected.map(escapeMarkup).join(', ')}.</p>`] : [];
}

function latestChange({ page, incidents, postmortems, maintenance }: FeedSource): Date {
  const changed = [page, ...incidents, ...postmortems, ...maintenance];
  return new Date(Math.max(...changed.map(({ updatedAt }) => Date.parse(updatedAt))));
}

function lines(text: string): string {
  return escapeMarkup(text).replace(/\r?\n/g, '<br>');
}

function capitalize(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function formatInstant(instant: string): string {
  return formatMinute(new Date(instant));
}
