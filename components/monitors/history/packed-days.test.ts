import { expect, it } from 'vitest';
import { packDays, unpackDays } from './packed-days';

it('days are the same after packing, over the end of a month, with gaps and corrections', () => {
  const measured = { status: 'down', uptimePercentage: 98.5, downtime: 1296 } as const;
  const days = [
    { date: '2026-02-27', status: null, uptimePercentage: null, downtime: 0 },
    { date: '2026-02-28', status: 'down', uptimePercentage: 0, downtime: 86_400 },
    { date: '2026-03-01', status: 'degraded', uptimePercentage: 99.02, downtime: 0.5 },
    { date: '2026-03-02', status: 'operational', uptimePercentage: 100, downtime: 0, measured },
  ] as const;
  expect(unpackDays(packDays(days))).toEqual(days);
  expect(unpackDays(packDays([]))).toEqual([]);
});
