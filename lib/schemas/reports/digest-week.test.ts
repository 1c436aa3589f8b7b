import { expect, it } from 'vitest';
import { digestWeek, nextDigestAt } from './digest-week';

const next = (timeZone: string, now: string) => nextDigestAt(timeZone, new Date(now)).toISOString();

it('a digest is due on the next Monday at eight, by the clock of its time zone', () => {
  expect(next('UTC', '2026-11-25T12:00:00Z')).toBe('2026-11-30T08:00:00.000Z');
  expect(next('UTC', '2026-11-30T07:59:59Z')).toBe('2026-11-30T08:00:00.000Z');
  expect(next('UTC', '2026-11-30T08:00:00Z')).toBe('2026-12-07T08:00:00.000Z');
  expect(next('UTC', '2026-11-29T23:59:59Z')).toBe('2026-11-30T08:00:00.000Z');
  expect(next('Europe/Berlin', '2026-11-25T12:00:00Z')).toBe('2026-11-30T07:00:00.000Z');
  expect(next('Asia/Kolkata', '2026-11-25T12:00:00Z')).toBe('2026-11-30T02:30:00.000Z');
  expect(next('Pacific/Auckland', '2026-11-29T12:00:00Z')).toBe('2026-11-29T19:00:00.000Z');
});

it('stays at eight when clocks change in between', () => {
  expect(next('Europe/Berlin', '2026-10-22T12:00:00Z')).toBe('2026-10-26T07:00:00.000Z');
  expect(next('Europe/Berlin', '2026-03-26T12:00:00Z')).toBe('2026-03-30T06:00:00.000Z');
});

it('it is about the week before that Monday', () => {
  const week = digestWeek('America/New_York', new Date('2026-11-30T13:00:00Z'));
  expect(week).toEqual({
    from: '2026-11-23',
    to: '2026-11-29',
    monday: '2026-11-30',
    dueAt: new Date('2026-11-30T13:00:00.000Z'),
  });
  const sunday = digestWeek('America/New_York', new Date('2026-11-30T04:59:59Z'));
  expect(sunday.monday).toBe('2026-11-23');
});
