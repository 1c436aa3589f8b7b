import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { initialState } from '../initial-state';
import { isContested } from '../routine';
import { configOf, MINUTE, resultOf, SECOND, type Seen, START } from '../testing/story';
import { transition } from '../transition';
import type { StateConfig } from '../types';
import { MAX_CONFIRMATIONS } from './follow-confirmation';
import { simulate, type Visit } from './testing/simulate';

const REGIONS = ['us', 'eu', 'ap'];

const configs = fc
  .record({
    alertThreshold: fc.integer({ min: 1, max: 10 }),
    recoveryThreshold: fc.integer({ min: 1, max: 4 }),
    confirmMs: fc.integer({ min: 5, max: 30 }).map((seconds) => seconds * SECOND),
    intervalMs: fc.constantFrom(MINUTE / 2, MINUTE),
    count: fc.integer({ min: 1, max: REGIONS.length }),
  })
  .map(({ count, ...rest }) => configOf({ ...rest, regions: REGIONS.slice(0, count) }));

/** What checks see in turn, from whatever region; again from the beginning after the last. */
const sights = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<Seen>('ok', 'fail') },
    { weight: 1, arbitrary: fc.constantFrom<Seen>('slow', 'unknown') },
  ),
  { minLength: 2, maxLength: 30 },
);

function run(config: StateConfig, seen: readonly Seen[], visit: (visit: Visit) => void): void {
  let checks = 0;
  const until = START + 40 * config.intervalMs;
  simulate(
    config,
    { from: START, until },
    (region, now) => resultOf(region, seen[checks++ % seen.length] ?? 'ok', now),
    visit,
  );
}

/** Regions that never agree for long: their run takes every check it may. */
const EXHAUSTING: [StateConfig, Seen[]] = [
  configOf({
    alertThreshold: 1,
    recoveryThreshold: 1,
    confirmMs: 5 * SECOND,
    intervalMs: MINUTE / 2,
    regions: REGIONS,
  }),
  ['fail', 'ok'],
];

describe('checks off the grid', () => {
  it('are at most ten per region and run, and no more than one per interval in the long run, whatever the checks see', () => {
    let most = 0;
    fc.assert(
      fc.property(configs, sights, (config, seen) => {
        const total = new Map<string, number>();
        let inRun = new Map<string, number>();
        run(config, seen, ({ before, state, result: { region, outcome }, isOffGrid, now }) => {
          if (state.confirmation?.isOpen && !before.confirmation?.isOpen) inRun = new Map();
          // After an inconclusive check, the region continues at its next slot: there are no more of those than slots.
          if (!isOffGrid || outcome === 'unknown') return;
          for (const counts of [total, inRun]) counts.set(region, (counts.get(region) ?? 0) + 1);
          most = Math.max(most, inRun.get(region) ?? 0);
          expect(inRun.get(region)).toBeLessThanOrEqual(MAX_CONFIRMATIONS);
          const intervals = (now - START) / config.intervalMs;
          expect(total.get(region)).toBeLessThanOrEqual(MAX_CONFIRMATIONS + intervals);
        });
      }),
      { numRuns: sized(30, { thorough: 1000 }), examples: [EXHAUSTING] },
    );
    expect(most).toBe(MAX_CONFIRMATIONS);
  });

  it('are due only in a run, which continues only while results are decided upon', () => {
    fc.assert(
      fc.property(configs, sights, (config, seen) => {
        run(config, seen, ({ state, now }) => {
          const { isOpen = false, regions = {} } = state.confirmation ?? {};
          const due = Object.values(regions).filter(({ dueAt }) => dueAt !== null);
          if (!isOpen) expect(due).toEqual([]);
          if (isOpen) expect(isContested(config, state)).toBe(true);
          for (const { dueAt } of due) expect(dueAt).toBeLessThanOrEqual(now + (config.confirmMs ?? 0));
        });
      }),
      { numRuns: sized(25, { thorough: 600 }) },
    );
  });

  it('do not change what a result means: the same results are decided alike without them', () => {
    fc.assert(
      fc.property(configs, sights, (config, seen) => {
        let state = initialState(START);
        run(config, seen, ({ state: confirming, result, now }) => {
          state = transition({ ...config, confirmMs: null }, state, result, now).state;
          expect({ ...confirming, confirmation: null }).toEqual(state);
        });
      }),
      { numRuns: sized(25, { thorough: 600 }) },
    );
  });
});
