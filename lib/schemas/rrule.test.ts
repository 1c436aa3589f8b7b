import { expect, it } from 'vitest';
import { findRruleFault } from './maintenance';

it.each([
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,TU;WKST=SU',
  'FREQ=MONTHLY;BYDAY=-1FR;COUNT=12',
  'INTERVAL=2;FREQ=HOURLY;UNTIL=20270131T120000Z',
  'FREQ=MONTHLY;BYMONTHDAY=1,-1;BYHOUR=2,14;BYMINUTE=30;BYSECOND=0;BYSETPOS=-1',
  'FREQ=YEARLY;BYYEARDAY=-366;BYWEEKNO=53;BYMONTH=12;UNTIL=20990101',
])('%s is a rule', (rrule) => expect(findRruleFault(rrule)).toBeNull());

it.each([
  ['', 'RFC 5545'],
  ['RRULE:FREQ=DAILY', 'RFC 5545'],
  ['freq=daily', 'RFC 5545'],
  ['FREQ=DAILY;', 'RFC 5545'],
  ['FREQ=DAILY\nEXDATE:20270101', 'FREQ'],
  ['FREQ=DAILY;RSCALE=CHINESE', 'RFC 5545'],
  ['FREQ=DAILY;__proto__=1', 'RFC 5545'],
  ['INTERVAL=2', 'FREQ'],
  ['FREQ=MINUTELY', 'FREQ'],
  ['FREQ=SECONDLY', 'FREQ'],
  ['FREQ=DAILY;FREQ=WEEKLY', 'repeat'],
  ['FREQ=DAILY;INTERVAL=0', 'INTERVAL'],
  ['FREQ=DAILY;INTERVAL=1e3', 'INTERVAL'],
  ['FREQ=DAILY;COUNT=1001', 'COUNT'],
  ['FREQ=DAILY;COUNT=3;UNTIL=20270101', 'COUNT and UNTIL'],
  ['FREQ=DAILY;UNTIL=tomorrow', 'UNTIL'],
  ['FREQ=DAILY;BYHOUR=24', 'BYHOUR'],
  ['FREQ=DAILY;BYHOUR=-1', 'BYHOUR'],
  ['FREQ=DAILY;BYMINUTE=0,30', 'BYMINUTE'],
  ['FREQ=WEEKLY;BYDAY=XX', 'BYDAY'],
  ['FREQ=MONTHLY;BYMONTHDAY=0', 'BYMONTHDAY'],
  ['FREQ=MONTHLY;BYMONTHDAY=32', 'BYMONTHDAY'],
  [`FREQ=DAILY;BYHOUR=${'1,'.repeat(300)}1`, '500 characters'],
])('%j is rejected, naming %s', (rrule, named) => expect(findRruleFault(rrule)).toContain(named));
