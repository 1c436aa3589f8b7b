import { describe, expect, it } from 'vitest';
import type { ViewedDay } from '@/lib/domain/status-pages/public/read-page-view';
import { listRuns } from './day-bars';

const GOOD = { status: 'operational', uptimePercentage: 100, downtime: 0, incidents: 0 } as const;
const UNKNOWN = { ...GOOD, status: null, uptimePercentage: null };
const DOWN = { status: 'down', uptimePercentage: 98, downtime: 60_000, incidents: 0 } as const;

function write(days: Omit<ViewedDay, 'date'>[], perRow = 30): string[] {
  const dated = days.map((day, index) => ({ ...day, date: `2026-03-${index + 1}` }));
  return listRuns(dated, perRow).map(
    ({ hasIssues, days: own }) => `${own.length}${hasIssues ? ' with issues' : ''}`,
  );
}

describe('adjacent days', () => {
  it('without issues form one run', () => {
    expect(write([GOOD, GOOD, GOOD])).toEqual(['3']);
    expect(write([])).toEqual([]);
  });

  it('that look different form separate runs', () => {
    expect(write([UNKNOWN, UNKNOWN, GOOD])).toEqual(['2', '1']);
  });

  it('with issues each form a run of their own', () => {
    expect(write([GOOD, DOWN, DOWN, GOOD, GOOD])).toEqual(['1', '1 with issues', '1 with issues', '2']);
    expect(write([GOOD, { ...GOOD, incidents: 1 }])).toEqual(['1', '1 with issues']);
    expect(write([{ ...UNKNOWN, incidents: 1 }, UNKNOWN])).toEqual(['1 with issues', '1']);
  });

  it('never form a run across two rows of a narrow screen', () => {
    expect(
      write(
        Array.from({ length: 7 }, () => GOOD),
        3,
      ),
    ).toEqual(['3', '3', '1']);
  });
});
