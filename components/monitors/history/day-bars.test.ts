import { describe, expect, it } from 'vitest';
import type { DayBar } from '@/lib/schemas/monitor/stats';
import { formatDayBar, formatDaySummary } from './day-bars';

const day = (status: DayBar['status'], uptimePercentage: number | null = 100, downtime = 0): DayBar => ({
  date: '2026-03-10',
  status,
  uptimePercentage,
  downtime,
});

describe('formatDayBar', () => {
  it.each([
    [day('operational'), 'Mar 10, 2026: operational'],
    [day('degraded'), 'Mar 10, 2026: degraded at times, 100% uptime'],
    [day('down', 99.02, 14 * 60_000), 'Mar 10, 2026: down for 14m, 99.02% uptime'],
    [day(null, null), 'Mar 10, 2026: no data'],
  ])('%#', (bar, text) => expect(formatDayBar(bar)).toBe(text));
});

describe('formatDaySummary', () => {
  it('counts the days with data that had no downtime', () => {
    expect(formatDaySummary([day(null, null), day('operational'), day('degraded'), day('down', 99)])).toBe(
      '2 of 3 days with no downtime',
    );
    expect(formatDaySummary([day('down', 99)])).toBe('0 of 1 day with no downtime');
    expect(formatDaySummary([day(null, null)])).toBe('No data yet');
  });
});
