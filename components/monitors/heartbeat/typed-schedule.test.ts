import { expect, it } from 'vitest';
import { showSchedule, splitSchedule } from './typed-schedule';

it.each([
  ['30 3 * * *,Europe/Berlin', '30 3 * * *', 'Europe/Berlin'],
  ['0 0,12 * * MON,FRI,UTC', '0 0,12 * * MON,FRI', 'UTC'],
  ['30 3 * * * Asia/Tokyo,UTC', '30 3 * * *', 'Asia/Tokyo'],
  [' 30 3 * * * ,Etc/GMT+5', '30 3 * * *', 'Etc/GMT+5'],
  [',UTC', '', 'UTC'],
  ['', '', 'UTC'],
])('“%s” is the cron expression “%s” in %s', (typed, cron, timeZone) => {
  expect(splitSchedule(typed)).toEqual({ cron, timeZone });
});

it('is shown as it is read', () => {
  const schedule = { cron: '0 0,12 1,15 * *', timeZone: 'America/New_York' };
  expect(splitSchedule(showSchedule(schedule))).toEqual(schedule);
});
