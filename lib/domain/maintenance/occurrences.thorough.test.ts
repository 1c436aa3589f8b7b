import { it } from 'vitest';
import { expectAffordable, numbers } from './testing/schedules';

it.each([
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=HOURLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=30;BYHOUR=3',
  'FREQ=MONTHLY;BYDAY=9MO',
  'FREQ=YEARLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29;BYDAY=9SU',
  'FREQ=YEARLY;BYYEARDAY=366;BYWEEKNO=1;BYDAY=WE',
  `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${numbers(0, 23)};BYSETPOS=366,-366`,
  `FREQ=YEARLY;BYYEARDAY=${numbers(1, 60)};BYHOUR=${numbers(0, 23)};BYMONTH=12`,
  'FREQ=DAILY;COUNT=1000;BYMONTH=2;BYMONTHDAY=29',
  `FREQ=HOURLY;BYYEARDAY=366;BYHOUR=${numbers(0, 23)};BYSETPOS=2`,
])('the rule %s, designed to take forever, is resolved or abandoned quickly', (rrule) => {
  for (const timeZone of ['UTC', 'Europe/Berlin']) expectAffordable(rrule, timeZone);
});
