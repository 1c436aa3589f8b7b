import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Period } from '@/lib/domain/monitors/history/periods';
import { uptimeWithin } from '@/lib/domain/monitors/history/uptime';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { addUpCounted, countCorrected, countUptime } from './count-uptime';

const HOUR = 3_600_000;
const START = Date.parse('2026-10-01T00:00:00.000Z');
const at = (hour: number) => new Date(START + hour * HOUR);
const range = { from: at(0), to: at(720), until: at(720) };

/** Periods without gaps, which begin at these hours. */
const ledgerOf = (...periods: [state: PeriodState, hour: number][]): Period[] =>
  periods.map(([state, hour], place) => {
    const next = periods[place + 1];
    return { state, from: at(hour), to: next ? at(next[1]) : null };
  });

const STATES: PeriodState[] = [
  'pending',
  'operational',
  'degraded',
  'down',
  'paused',
  'maintenance',
  'unknown',
];
const ledgers = fc
  .array(fc.tuple(fc.constantFrom(...STATES), fc.integer({ min: -2000, max: 2000 })), {
    minLength: 1,
    maxLength: 30,
  })
  .map((periods) => ledgerOf(...periods.sort(([, a], [, b]) => a - b)));

describe('a report', () => {
  it('counts each state only within its time', () => {
    const { counted, outages } = countUptime(
      ledgerOf(
        ['down', -5],
        ['operational', 1],
        ['maintenance', 10],
        ['degraded', 12],
        ['down', 13],
        ['operational', 16],
      ),
      range,
      99.9,
    );
    expect(counted).toEqual({
      uptimePercentage: 99.442,
      knownMs: 718 * HOUR,
      downMs: 4 * HOUR,
      degradedMs: HOUR,
      maintenanceMs: 2 * HOUR,
      outages: 2,
      longestOutageMs: 3 * HOUR,
      budgetMs: 2_584_800,
      budgetLeftMs: 2_584_800 - 4 * HOUR,
    });
    expect(outages.map(({ from, downMs }) => [from, downMs])).toEqual([
      [at(-5), HOUR],
      [at(13), 3 * HOUR],
    ]);
  });

  it('has the uptime of the ledger, to a thousandth', () => {
    fc.assert(
      fc.property(ledgers, (periods) => {
        const { uptimePercentage } = countUptime(periods, range, 99.9).counted;
        const ledger = uptimeWithin(periods, range.from, range.until);
        if (uptimePercentage === null || ledger === null) expect(uptimePercentage).toBe(ledger);
        else expect(Math.floor(uptimePercentage * 100 + 1e-6) / 100).toBe(ledger);
      }),
    );
  });

  it('of several monitors is the sum of theirs', () => {
    fc.assert(
      fc.property(fc.array(ledgers, { maxLength: 5 }), (all) => {
        const lines = all.map(
          (periods) =>
            countCorrected({ measured: periods, corrections: [] }, { range, target: 99.5 }).counted,
        );
        const total = addUpCounted(lines);
        for (const name of [
          'knownMs',
          'downMs',
          'degradedMs',
          'maintenanceMs',
          'outages',
          'budgetLeftMs',
        ] as const) {
          expect(total[name]).toBe(lines.reduce((sum, line) => sum + line[name], 0));
        }
        expect(total.longestOutageMs).toBe(
          lines.reduce<number | null>((most, { longestOutageMs }) => {
            return longestOutageMs === null ? most : Math.max(most ?? 0, longestOutageMs);
          }, null),
        );
      }),
    );
  });

  it('never shows a target as met that was missed by a second', () => {
    const month = 720 * HOUR;
    const allowed = month / 1000;
    const downFor = (ms: number): Period[] => [
      { state: 'down', from: at(0), to: new Date(START + ms) },
      { state: 'operational', from: new Date(START + ms), to: null },
    ];
    const met = countUptime(downFor(allowed), range, 99.9).counted;
    expect([met.uptimePercentage, met.budgetLeftMs]).toEqual([99.9, 0]);
    const missed = countUptime(downFor(allowed + 1000), range, 99.9).counted;
    expect([missed.uptimePercentage, missed.budgetLeftMs]).toEqual([99.899, -1000]);
  });

  it('of a month that has begun has the budget of a whole one, unless the monitor is paused', () => {
    const begun = { ...range, until: at(72) };
    const budget = (state: PeriodState) =>
      countUptime(ledgerOf(['operational', 0], [state, 36]), begun, 99).counted.budgetMs;
    expect(budget('operational')).toBe(7.2 * HOUR);
    expect(budget('unknown')).toBe(6.84 * HOUR);
    expect(budget('paused')).toBe(0.36 * HOUR);
  });
});
