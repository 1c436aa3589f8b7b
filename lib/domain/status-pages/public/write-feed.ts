import { Feed } from 'feed';
import { escapeMarkup, printable } from '@/lib/core/formats/markup';
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

/** The latest entries of a feed, and their size with what is around their texts: readers request it every few minutes. */
export const MAX_ENTRIES = 50;
const MAX_BYTES = 1_000_000;
const ENTRY_BYTES = 1000;

/**
 * The incidents, postmortems and maintenance of a page as Atom 1.0 or RSS 2.0, latest changes first: at most 50, and those that fit into
 * 1 MB. The ID of an entry does not depend on the page's URL and survives updates, which change `updated`.
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
  for (const { html, ...entry } of cutEntries(listEntries(source))) {
    // Readers of each format expect the text in a different element.
    feed.addItem({ ...entry, ...(format === 'atom' ? { content: html } : { description: html }) });
  }
  return format === 'atom' ? feed.atom1() : feed.rss2();
}

/** The first entries, without those that are too large for what remains. */
function cutEntries(entries: readonly Entry[]): Entry[] {
  let left = MAX_BYTES - ENTRY_BYTES;
  return entries.slice(0, MAX_ENTRIES).filter(({ title, html }) => {
    const bytes = Buffer.byteLength(html) + Buffer.byteLength(title) + ENTRY_BYTES;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}

type Entry = { id: string; title: string; link: string; published: Date; date: Date; html: string };

function listEntries({ incidents, postmortems, maintenance, names, address }: FeedSource): Entry[] {
  const entries = [
    ...incidents.map((incident) => ({
      id: permanentId(incident.id),
      title: escapeMarkup(incident.title),
      link: `${address}/incidents/${incident.id}`,
      ...datesOf(incident),
      html: writeIncident(incident, names),
    })),
    ...postmortems.map(({ incidentId, title, text, updatedAt }) => ({
      id: permanentId(`${incidentId}/postmortem`),
      title: escapeMarkup(`Postmortem: ${title}`),
      link: `${address}/incidents/${incidentId}#postmortem`,
      ...datesOf({ createdAt: updatedAt, updatedAt }),
      html: `<p>${lines(text)}</p>`,
    })),
    ...maintenance.map((occurrence) => ({
      // Each occurrence of a window is its own entry.
      id: permanentId(`${occurrence.id}/${occurrence.startsAt}`),
      title: escapeMarkup(`Maintenance: ${occurrence.title}`),
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

/** For plain text elements, where the library unescapes `&amp;` before it escapes. */
function plain(text: string): string {
  return printable(text).replaceAll('&amp;', '&amp;amp;');
}

/** The text of an entry as HTML. Foreign text is escaped, so that `]]>` cannot end the library's CDATA section. */
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

function latest(things: { updatedAt: string }[]): Date {
  return new Date(Math.max(...things.map(({ updatedAt }) => Date.parse(updatedAt))));
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
