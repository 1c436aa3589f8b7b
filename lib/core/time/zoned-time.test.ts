import { expect, it } from 'vitest';
import { instantOf, instantText, isTimeZone, wallText, wallTime } from './zoned-time';

const iso = (time: number) => new Date(time).toISOString();

it.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])(
  '%s names a zone',
  (zone) => expect(isTimeZone(zone)).toBe(true),
);

it.each(['', '+02:00', 'Nowhere/Land', 'Europe/Berlin ', '../etc', '\0'])('%j is no time zone', (zone) => {
  expect(isTimeZone(zone)).toBe(false);
});

it('converts to the millisecond, in summer and winter, on both sides of UTC', () => {
  expect(iso(wallTime(Date.parse('2027-07-01T12:00:00.123Z'), 'Europe/Berlin'))).toBe(
    '2027-07-01T14:00:00.123Z',
  );
  expect(iso(wallTime(Date.parse('2027-01-01T00:30:00.999Z'), 'America/New_York'))).toBe(
    '2026-12-31T19:30:00.999Z',
  );
  expect(iso(wallTime(Date.parse('2027-01-01T00:00:00Z'), 'Asia/Kolkata'))).toBe('2027-01-01T05:30:00.000Z');
});

it.each([
  ['Europe/Berlin', '2027-03-28T01:59', '2027-03-28T00:59', 'just before a gap'],
  ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:30', 'in a gap: 03:30'],
  ['Europe/Berlin', '2027-03-28T03:00', '2027-03-28T01:00', 'just after a gap'],
  ['Europe/Berlin', '2027-10-31T02:30', '2027-10-31T00:30', 'twice: the first'],
  ['America/New_York', '2027-03-14T02:30', '2027-03-14T07:30', 'in a gap: 03:30'],
  ['America/New_York', '2027-11-07T01:30', '2027-11-07T05:30', 'twice: the first'],
  ['Australia/Lord_Howe', '2027-10-03T02:15', '2027-10-02T15:45', 'in a gap of half an hour: 02:45'],
])('%s shows %s at %s (%s)', (zone, wall, instant) => {
  expect(iso(instantOf(Date.parse(`${wall}:00Z`), zone))).toBe(`${instant}:00.000Z`);
});

it('the text of an input for local times converts to the minute, and an empty one to an empty one', () => {
  expect(wallText(Date.parse('2026-07-01T08:30:59.000Z'), 'Europe/Berlin')).toBe('2026-07-01T10:30');
  expect(instantText('2026-07-01T10:30', 'Europe/Berlin')).toBe('2026-07-01T08:30:00.000Z');
  expect([wallText(Date.parse(''), 'UTC'), instantText('', 'UTC')]).toEqual(['', '']);
});
