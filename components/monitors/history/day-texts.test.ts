import { describe, expect, it } from 'vitest';
import type { DayBar } from '@/lib/schemas/stats';
import { sayDay, sayDays } from './day-bars';

const day = (status: DayBar['status'], uptimePercentage: number | null = 100, downtime = 0): DayBar => ({
  date: '2026-03-10',
  status,
  uptimePercentage,
  downtime,
});

describe('a day', () => {
  it.each([
    [day('operational'), '10 Mar 2026: operational'],
    [day('degraded'), '10 Mar 2026: degraded at times, 100% uptime'],
    [day('down', 99.02, 14 * 60_000), '10 Mar 2026: down for 14m, 99.02% uptime'],
    [day(null, null), '10 Mar 2026: nothing is known'],
  ])('%# is told in words', (bar, words) => expect(sayDay(bar)).toBe(words));
});

describe('the days together', () => {
  it('count those without downtime among the known', () => {
    expect(sayDays([day(null, null), day('operational'), day('degraded'), day('down', 99)])).toBe(
      '2 of 3 days without downtime',
    );
    expect(sayDays([day('down', 99)])).toBe('0 of 1 day without downtime');
    expect(sayDays([day(null, null)])).toBe('Nothing is known yet');
  });
});
