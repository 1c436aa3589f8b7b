import { expect, it } from 'vitest';
import { repeatOf } from '@/components/maintenance/repeat';
import { createMaintenanceSchema, maintenanceSchema } from '@/lib/schemas/maintenance';
import { parseInput } from '@/lib/schemas/validation';
import { formValues, readMaintenanceForm } from './read-form';

const VALUES = {
  title: 'Upgrade',
  message: '',
  startsAt: '2027-07-01T22:30',
  endsAt: '2027-07-02T00:30',
  timeZone: 'Europe/Berlin',
  repeat: 'weekly',
  rrule: 'left over',
  monitors: 'mon_1,mon_2',
};

const WINDOW = {
  id: 'mnt_1',
  title: 'Upgrade',
  message: 'Soon.',
  translations: {},
  monitors: ['mon_1'],
  startsAt: '2027-07-01T20:30:00.000Z',
  endsAt: '2027-07-01T22:30:00.000Z',
  rrule: 'FREQ=MONTHLY;BYDAY=1SU',
  timeZone: 'America/New_York',
  status: 'finished',
  occurrence: null,
  version: 1,
  createdAt: '2027-01-01T00:00:00.000Z',
  updatedAt: '2027-01-01T00:00:00.000Z',
};

function formData(changes: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...VALUES, ...changes })) {
    if (name !== 'monitors') form.set(name, value);
    else for (const id of value.split(',')) form.append(name, id);
  }
  return form;
}

const read = (changes?: Record<string, string>) =>
  parseInput(createMaintenanceSchema, readMaintenanceForm(formData(changes)));

it('reads times in the time zone of the form', () => {
  expect(read()).toEqual({
    title: 'Upgrade',
    message: '',
    translations: {},
    monitors: ['mon_1', 'mon_2'],
    startsAt: new Date('2027-07-01T20:30:00Z'),
    endsAt: new Date('2027-07-01T22:30:00Z'),
    timeZone: 'Europe/Berlin',
    rrule: 'FREQ=WEEKLY',
  });
  expect(read({ repeat: 'once' }).rrule).toBeNull();
  expect(read({ repeat: 'custom', rrule: 'FREQ=DAILY;COUNT=2' }).rrule).toBe('FREQ=DAILY;COUNT=2');
});

it.each([
  ['startsAt', { startsAt: '' }],
  ['endsAt', { endsAt: 'tomorrow' }],
  ['timeZone', { timeZone: 'Mars' }],
  ['rrule', { repeat: 'custom', rrule: '' }],
])('names an invalid %s', (field, changes) => {
  expect(() => read(changes)).toThrow(field);
});

it.each(['20:30:00.000', '20:30:15.000', '20:30:15.250', '20:30:00.250'])(
  'round-trips %s to the millisecond',
  (time) => {
    const startsAt = `2027-07-01T${time}Z`;
    const shown = formValues({ ...maintenanceSchema.parse(WINDOW), startsAt }, 'once');
    expect(read(shown).startsAt.toISOString()).toBe(startsAt);
  },
);

it('round-trips a window through the form', () => {
  const window = maintenanceSchema.parse(WINDOW);
  const shown = formValues(window, repeatOf(window.rrule));
  expect(shown).toMatchObject({ startsAt: '2027-07-01T16:30', repeat: 'custom' });
  expect(read(shown)).toMatchObject({
    startsAt: new Date(window.startsAt),
    endsAt: new Date(window.endsAt),
    rrule: window.rrule,
  });
});
