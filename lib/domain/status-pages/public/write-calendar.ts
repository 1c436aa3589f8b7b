import { printable } from '@/lib/core/formats/markup';
import type { FeedMaintenance } from './read-public-maintenance';

/** The content of a calendar and the URL of its page, without a trailing slash. */
export type CalendarSource = {
  page: { id: string; name: string };
  maintenance: FeedMaintenance[];
  /** The names of the page's monitors, by ID. */
  monitorNames: ReadonlyMap<string, string>;
  address: string;
  serviceName: string;
};

/** A line without its line break must not be longer (RFC 5545, 3.1). */
const MAX_OCTETS = 75;

/**
 * The maintenance of a page as an iCalendar (RFC 5545): an event per occurrence, which does not mark people as busy. Its UID survives
 * changes of its texts and its end.
 */
export function writeCalendar({
  page,
  maintenance,
  monitorNames,
  address,
  serviceName,
}: CalendarSource): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(serviceName)}//Status page//EN`,
    'METHOD:PUBLISH',
    // The name twice: of RFC 7986, and as older clients expect it.
    `NAME:${escapeText(page.name)}`,
    `X-WR-CALNAME:${escapeText(page.name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    `URL:${address}`,
    ...maintenance.flatMap((occurrence) => {
      const { id, title, message, monitors, startsAt, endsAt, createdAt, updatedAt } = occurrence;
      const names = monitors.flatMap((monitor) => monitorNames.get(monitor) ?? []);
      const affected = names.length > 0 ? [`Affected: ${names.join(', ')}`] : [];
      return [
        'BEGIN:VEVENT',
        `UID:${id}-${Date.parse(startsAt)}@pharos`,
        // Not of the request: the calendar would never be the same.
        `DTSTAMP:${formatInstant(updatedAt)}`,
        `CREATED:${formatInstant(createdAt)}`,
        `LAST-MODIFIED:${formatInstant(updatedAt)}`,
        `DTSTART:${formatInstant(startsAt)}`,
        `DTEND:${formatInstant(endsAt)}`,
        `SUMMARY:${escapeText(`${page.name}: ${title}`)}`,
        `DESCRIPTION:${escapeText([message, ...affected].filter(Boolean).join('\n\n'))}`,
        `URL:${address}`,
        'STATUS:CONFIRMED',
        'TRANSP:TRANSPARENT',
        'END:VEVENT',
      ];
    }),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

/** `20261125T093000Z` */
function formatInstant(instant: string): string {
  return `${instant.slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** A value of type TEXT. */
function escapeText(text: string): string {
  return printable(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n');
}

/** Continues a long line on further ones, which start with a space, without splitting a character. */
function fold(line: string): string {
  let octets = 0;
  const folded = Array.from(line, (character) => {
    const size = Buffer.byteLength(character);
    const fits = octets + size <= MAX_OCTETS;
    octets = fits ? octets + size : 1 + size;
    return fits ? character : `\r\n ${character}`;
  });
  return folded.join('');
}
