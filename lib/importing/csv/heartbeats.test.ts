import { expect, it } from 'vitest';
import { importText, onlyItem, unset } from '../testing/import-text';
import { FIELDS } from './fields';

const NEW_URL = 'Its job must call another URL, which is shown after the import.';
const read = async (cells: string) =>
  onlyItem(
    await importText('csv', `name,url,type,period,schedule,grace,tags\nBackup,,heartbeat,${cells},jobs`),
  );

it.each([
  ['1h,,5m', { period: 3600, grace: 300 }],
  ['86400,,', { period: 86_400 }],
  [',30 3 * * *,', { schedule: { cron: '30 3 * * *', timeZone: 'UTC' } }],
  [
    ',30 3 * * * Europe/Berlin,60',
    { schedule: { cron: '30 3 * * *', timeZone: 'Europe/Berlin' }, grace: 60 },
  ],
])('a row of a CSV with %s is a heartbeat', async (cells, times) => {
  const { monitor, changes } = await read(cells);
  expect(monitor).toEqual({
    ...unset(FIELDS, 'heartbeat'),
    name: 'Backup',
    ref: expect.stringMatching(/^csv-backup-/),
    type: 'heartbeat',
    url: '',
    tags: ['jobs'],
    ...times,
  });
  expect(changes).toEqual([NEW_URL]);
});

const FIVE_FIELDS = 'The schedule must have five fields, such as 30 3 * * *, and can end with a time zone.';

it.each([
  [',,', 'A heartbeat needs a period, or a schedule.'],
  ['60,30 3 * * *,', 'A heartbeat has either a period or a schedule, not both.'],
  [',every night,', FIVE_FIELDS],
  [',bad cron,', FIVE_FIELDS],
  [',0 30 3 * * *,', FIVE_FIELDS],
  [',0 30 3 * * MON-FRI,', FIVE_FIELDS],
  [',30 3 * * * Europe/Berlin 5,', FIVE_FIELDS],
  [',30 3 * * * Europe/Nowhere,', 'The schedule must be an IANA time zone such as Europe/Berlin.'],
  [',90 3 * * *,', expect.stringMatching(/^The schedule must be a valid cron expression/)],
  ['daily,,', 'The period “daily” is not understood.'],
])('one with %s is not imported', async (cells, reason) => {
  expect(await read(cells)).toMatchObject({ monitor: null, reason });
});

it('a grace that is not understood becomes the default, and the plan says so', async () => {
  expect(await read('1d,,abc')).toMatchObject({
    monitor: { period: 86_400, grace: 3600 },
    changes: ['Grace “abc” is not understood and becomes 1 hour.', NEW_URL],
  });
});
