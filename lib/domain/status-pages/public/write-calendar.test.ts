import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXT, SHOWN_TEXT } from '@/lib/domain/status-pages/testing/hostile-text';
import type { FeedMaintenance } from './read-public-maintenance';
import { type CalendarSource, writeCalendar } from './write-calendar';

const occurrence = (fields: Partial<FeedMaintenance> = {}): FeedMaintenance => ({
  id: 'mnt_1',
  translations: {},
  title: 'Database upgrade',
  message: 'Orders may take longer.',
  status: 'scheduled',
  monitors: ['mon_1', 'mon_2'],
  startsAt: '2026-03-14T02:00:00.000Z',
  endsAt: '2026-03-14T04:30:00.000Z',
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-02T10:00:00.000Z',
  ...fields,
});

const source = (fields: Partial<CalendarSource> = {}): CalendarSource => ({
  page: { id: 'sp_1', name: 'Acme' },
  maintenance: [occurrence()],
  monitorNames: new Map([
    ['mon_1', 'Shop'],
    ['mon_2', 'Mail'],
  ]),
  address: 'https://status.acme.test',
  serviceName: 'Pharos',
  ...fields,
});

function parse(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const events = calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
  return { calendar, events };
}

describe('the calendar of a page', () => {
  it('has an event per occurrence, in UTC, which does not mark people as busy', () => {
    const { calendar, events } = parse(writeCalendar(source()));
    const about = ['version', 'prodid', 'method', 'name', 'x-wr-calname', 'refresh-interval', 'url'];
    expect(about.map((name) => String(calendar.getFirstPropertyValue(name)))).toEqual([
      '2.0',
      '-//Pharos//Status page//EN',
      'PUBLISH',
      'Acme',
      'Acme',
      'PT1H',
      'https://status.acme.test',
    ]);
    const [event] = events;
    expect(event).toMatchObject({
      uid: 'mnt_1-1773453600000@pharos',
      summary: 'Acme: Database upgrade',
      description: 'Orders may take longer.\n\nAffected: Shop, Mail',
    });
    expect(event?.startDate.toJSDate().toISOString()).toBe('2026-03-14T02:00:00.000Z');
    expect(event?.endDate.toJSDate().toISOString()).toBe('2026-03-14T04:30:00.000Z');
    const read = (name: string) => String(event?.component.getFirstPropertyValue(name));
    expect(['dtstamp', 'last-modified', 'created'].map(read)).toEqual([
      '2026-03-02T10:00:00Z',
      '2026-03-02T10:00:00Z',
      '2026-03-01T10:00:00Z',
    ]);
    expect(['status', 'transp', 'url'].map(read)).toEqual([
      'CONFIRMED',
      'TRANSPARENT',
      'https://status.acme.test',
    ]);
  });

  it('describes an event by its message and whom it affects, as far as they are known', () => {
    const describedAs = (fields: Partial<FeedMaintenance>) =>
      parse(writeCalendar(source({ maintenance: [occurrence(fields)] }))).events[0]?.description;
    expect(describedAs({ message: '' })).toBe('Affected: Shop, Mail');
    expect(describedAs({ monitors: ['mon_gone'] })).toBe('Orders may take longer.');
    expect(describedAs({ message: '', monitors: [] })).toBe('');
  });

  it('is a calendar without maintenance, too', () => {
    expect(parse(writeCalendar(source({ maintenance: [] }))).events).toEqual([]);
  });

  it('keeps the UID of an occurrence that is renamed or ends earlier, and no two have the same', () => {
    const uids = (...maintenance: FeedMaintenance[]) =>
      parse(writeCalendar(source({ maintenance }))).events.map(({ uid }) => uid);
    const [uid] = uids(occurrence());
    expect(uids(occurrence({ title: 'Upgrade', endsAt: '2026-03-14T03:00:00.000Z' }))).toEqual([uid]);
    const next = occurrence({ startsAt: '2026-03-21T02:00:00.000Z', endsAt: '2026-03-21T03:00:00.000Z' });
    expect(new Set(uids(occurrence(), next)).size).toBe(2);
  });

  it('has every text as it is, and no text adds a property or an event', () => {
    const texts = [
      HOSTILE_TEXT,
      'a;b,c\\n\\;d',
      'One\r\nTwo\rEND:VEVENT\nBEGIN:VEVENT',
      '障害'.repeat(60),
      '🚧'.repeat(90),
    ];
    for (const text of texts) {
      const hostile = { maintenance: [occurrence({ title: text, message: text })] };
      const written = writeCalendar(
        source({ ...hostile, page: { id: 'sp_1', name: text }, serviceName: text }),
      );
      const { events } = parse(written);
      const shown = text === HOSTILE_TEXT ? SHOWN_TEXT : text.replace(/\r\n?/g, '\n');
      expect(events.map(({ summary, description }) => [summary, description])).toEqual([
        [`${shown}: ${shown}`, `${shown}\n\nAffected: Shop, Mail`],
      ]);
    }
  });

  it('has lines of at most 75 octets that end with CRLF, and splits no character', () => {
    const title = `${'x'.repeat(58)}🚧é`.repeat(5);
    const written = writeCalendar(source({ maintenance: [occurrence({ title, message: '' })] }));
    const lines = written.split('\r\n');
    expect(lines.pop()).toBe('');
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBe(75);
    expect(written.replaceAll('\r\n', '')).not.toMatch(/[\r\n\uFFFD]/);
    expect(parse(written).events[0]?.summary).toBe(`Acme: ${title}`);
  });
});
