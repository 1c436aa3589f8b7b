import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { dayBars, startOfBars } from './day-bars';
import type { Period } from './periods';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const STATES: PeriodState[] = [
  'pending',
  'operational',
  'degraded',
  'down',
  'paused',
  'maintenance',
  'unknown',
];

/** A ledger without overlaps or gaps that ends with a current period: states with their durations. */
const ledgers = fc
  .array(fc.tuple(fc.constantFrom(...STATES), fc.integer({ min: 0, max: 5 * DAY })), {
    minLength: 1,
    maxLength: 40,
  })
  .map((stretches): Period[] => {
    const lengths = stretches.map(([, length]) => length);
    let at = NOW.getTime() - lengths.reduce((sum, length) => sum + length, 0);
    return stretches.map(([state, length], index) => {
      const from = new Date(at);
      at += length;
      return { state, from, to: index === stretches.length - 1 ? null : new Date(at) };
    });
  });

const at = (day: string, time: string) => new Date(`2026-03-${day}T${time}:00.000Z`);

/** The time in some states since `start`, by a simple sum. */
function numberIn(periods: Period[], states: PeriodState[], start: Date): number {
  return periods
    .filter(({ state }) => states.includes(state))
    .map(({ from, to }) => (to ?? NOW).getTime() - Math.max(from.getTime(), start.getTime()))
    .reduce((sum, ms) => sum + Math.max(0, ms), 0);
}

describe('day bars', () => {
  it('are one per UTC day, ending today', () => {
    const bars = dayBars([], NOW);
    expect(bars).toHaveLength(90);
    expect(bars[0]?.date).toBe('2025-12-11');
    expect(bars[89]).toEqual({ date: '2026-03-10', status: null, uptimePercentage: null, downtime: 0 });
  });

  it('show the worst status of the day and count only known time', () => {
    const periods: Period[] = [
      { state: 'operational', from: at('07', '12:00'), to: at('08', '06:00') },
      { state: 'down', from: at('08', '06:00'), to: at('08', '09:00') },
      { state: 'paused', from: at('08', '09:00'), to: at('10', '00:00') },
      { state: 'degraded', from: at('10', '00:00'), to: at('10', '06:00') },
      { state: 'operational', from: at('10', '06:00'), to: null },
    ];
    expect(dayBars(periods, NOW, 4)).toEqual([
      { date: '2026-03-07', status: 'operational', uptimePercentage: 100, downtime: 0 },
      { date: '2026-03-08', status: 'down', uptimePercentage: 66.66, downtime: 3 * HOUR },
      { date: '2026-03-09', status: null, uptimePercentage: null, downtime: 0 },
      { date: '2026-03-10', status: 'degraded', uptimePercentage: 100, downtime: 0 },
    ]);
  });

  it('split a period at midnight', () => {
    const night: Period = { state: 'down', from: at('08', '23:00'), to: at('09', '02:00') };
    expect(dayBars([night], NOW, 3).map((bar) => bar.downtime)).toEqual([HOUR, 2 * HOUR, 0]);
  });

  it('add up to exactly the downtime, at most a day each', () => {
    fc.assert(
      fc.property(ledgers, fc.integer({ min: 1, max: 90 }), (periods, days) => {
        const bars = dayBars(periods, NOW, days);
        const start = startOfBars(NOW, days);
        expect(bars.reduce((sum, bar) => sum + bar.downtime, 0)).toBe(numberIn(periods, ['down'], start));
        for (const bar of bars) expect(bar.downtime).toBeLessThanOrEqual(DAY);
      }),
    );
  });

  it('match the ledger of their day, in any order of periods', () => {
    fc.assert(
      fc.property(ledgers, (periods) => {
        const bars = dayBars(periods, NOW, 30);
        expect(dayBars(periods.toReversed(), NOW, 30)).toEqual(bars);
        for (const bar of bars) {
          const from = new Date(bar.date);
          const end = Math.min(from.getTime() + DAY, NOW.getTime());
          const within = (states: PeriodState[]) =>
            numberIn(periods, states, from) - numberIn(periods, states, new Date(end));
          const known = within(['operational', 'degraded', 'down']);
          const worst = (['down', 'degraded', 'operational'] as const).find((state) => within([state]) > 0);
          expect(bar.status).toBe(worst ?? null);
          expect(bar.uptimePercentage === null).toBe(known === 0);
          expect(bar.uptimePercentage === 100).toBe(known > 0 && within(['down']) === 0);
        }
      }),
    );
  });
});
