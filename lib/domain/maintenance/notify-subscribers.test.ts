import { describe, expect, it } from 'vitest';
import type { Maintenance, MaintenanceStatus } from '@/lib/schemas/maintenance';
import { noticeKindOfChange } from './notify-subscribers';

const at = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000Z`;

/** A window with a current or next occurrence from one hour to another; finished without one. */
function window(status: MaintenanceStatus, hours: [number, number] | null): Maintenance {
  const occurrence = hours && { startsAt: at(hours[0]), endsAt: at(hours[1]) };
  const rest = {
    title: 'Upgrade',
    message: '',
    translations: {},
    monitors: [],
    rrule: null,
    timeZone: 'UTC',
  };
  const moments = { startsAt: at(1), endsAt: at(2), createdAt: at(0), updatedAt: at(0) };
  return { id: 'mnt_1', version: 1, ...rest, ...moments, status, occurrence };
}

describe('after a schedule change, subscribers are notified of', () => {
  it.each([
    ['another time', window('scheduled', [10, 11]), window('scheduled', [12, 13]), 'maintenance.moved'],
    ['another end', window('scheduled', [10, 11]), window('scheduled', [10, 12]), 'maintenance.moved'],
    [
      'a new end of the active occurrence',
      window('active', [8, 10]),
      window('active', [8, 12]),
      'maintenance.moved',
    ],
    ['a later start', window('active', [8, 10]), window('scheduled', [12, 13]), 'maintenance.moved'],
    ['a cancellation', window('scheduled', [10, 11]), window('finished', null), 'maintenance.cancelled'],
    ['a new occurrence', window('finished', null), window('scheduled', [10, 11]), 'maintenance.planned'],
    ['nothing after a change of texts', window('scheduled', [10, 11]), window('scheduled', [10, 11]), null],
    [
      'nothing at its start, which has its own notification',
      window('scheduled', [10, 11]),
      window('active', [8, 11]),
      null,
    ],
    [
      'nothing at its end, which has its own notification',
      window('active', [8, 10]),
      window('finished', null),
      null,
    ],
    ['nothing if it stays finished', window('finished', null), window('finished', null), null],
  ])('%s', (_, before, after, kind) => {
    expect(noticeKindOfChange(before, after)).toBe(kind);
  });
});
