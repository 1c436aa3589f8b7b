import { expect, it } from 'vitest';
import { formatSpan } from './repeat';

it('formats a span in its time zone', () => {
  const [start, end] = ['2027-03-21T01:00:00.000Z', '2027-03-21T03:30:00.000Z'];
  expect(formatSpan(start, end, 'Europe/Berlin')).toBe('Sun, Mar 21, 2027, 02:00 – 04:30');
  expect(formatSpan(start, end, 'UTC')).toBe('Sun, Mar 21, 2027, 01:00 – 03:30');
});

it('names the second day if it differs', () => {
  expect(formatSpan('2027-03-21T23:00:00.000Z', '2027-03-22T00:00:00.000Z', 'UTC')).toBe(
    'Sun, Mar 21, 2027, 23:00 – Mon, Mar 22, 2027, 00:00',
  );
});
