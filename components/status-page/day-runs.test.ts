import { describe, expect, it } from 'vitest';
import type { ViewedDay } from '@/lib/domain/status-pages/read-page-view';
import { listRuns } from './day-bars';

const GOOD = { status: 'operational', uptimePercentage: 100, downtime: 0, incidents: 0 } as const;
const UNKNOWN = { ...GOOD, status: null, uptimePercentage: null };
const DOWN = { status: 'down', uptimePercentage: 98, downtime: 60_000, incidents: 0 } as const;

function write(days: Omit<ViewedDay, 'date'>[], perRow = 30): string[] {
  const dated = days.map((day, index) => ({ ...day, date: `2026-03-${index + 1}` }));
  return listRuns(dated, perRow).map(
    ({ isTroubled, days: own }) => `${own.length}${isTroubled ? ' troubled' : ''}`,
  );
}

describe('days side by side', () => {
  it('of which there is nothing to tell are one run', () => {
    expect(write([GOOD, GOOD, GOOD])).toEqual(['3']);
    expect(write([])).toEqual([]);
  });

  it('that look different are apart', () => {
    expect(write([UNKNOWN, UNKNOWN, GOOD])).toEqual(['2', '1']);
  });

  it('on which something happened stand alone, each with its story', () => {
    expect(write([GOOD, DOWN, DOWN, GOOD, GOOD])).toEqual(['1', '1 troubled', '1 troubled', '2']);
    expect(write([GOOD, { ...GOOD, incidents: 1 }])).toEqual(['1', '1 troubled']);
    expect(write([{ ...UNKNOWN, incidents: 1 }, UNKNOWN])).toEqual(['1 troubled', '1']);
  });

  it('never run on into the next row of a narrow screen', () => {
    expect(
      write(
        Array.from({ length: 7 }, () => GOOD),
        3,
      ),
    ).toEqual(['3', '3', '1']);
  });
});
