import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { initialState } from './initial-state';
import { resultTime } from './region';
import { isContested, isRoutine, type LastCheck, withLastChecks } from './routine';
import { configOf, resultOf, SECOND, type Seen, START } from './testing/story';
import { isNewResult, transition } from './transition';
import type { CheckInput, Effect, MonitorState, StateConfig } from './types';

const REGIONS = ['us', 'eu', 'ap'];

const configs = fc
  .record({
    alertThreshold: fc.integer({ min: 1, max: 3 }),
    recoveryThreshold: fc.integer({ min: 1, max: 3 }),
    confirmMs: fc.constantFrom(null, 10 * SECOND),
    count: fc.integer({ min: 1, max: REGIONS.length }),
  })
  .map(({ count, ...rest }) => configOf({ ...rest, regions: REGIONS.slice(0, count) }));

/** Mostly good results in turn, sometimes a late or old one, a gap, or a tick. */
const inputs = fc.array(
  fc.record({
    region: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...REGIONS) },
      { weight: 1, arbitrary: fc.constant('tick') },
    ),
    seen: fc.oneof(
      { weight: 12, arbitrary: fc.constant<Seen>('ok') },
      { weight: 2, arbitrary: fc.constantFrom<Seen>('fail', 'slow', 'unknown') },
    ),
    pause: fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 1, max: 40 }) },
      { weight: 1, arbitrary: fc.constantFrom(95, 110, 185, 400) },
    ),
    took: fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 3 }) },
      { weight: 1, arbitrary: fc.integer({ min: 4, max: 200 }) },
    ),
    isUnserved: fc.boolean(),
  }),
  { minLength: 20, maxLength: 120 },
);

/** Decides as the recorder does: a routine result is only noted, and the next decision catches up with it. */
function createRecorder(config: StateConfig) {
  let state = initialState(START);
  const last = new Map<string, LastCheck>();
  let routine = 0;
  return {
    routine: () => routine,
    feed: (input: CheckInput, now: number): Effect[] => {
      const isResult = input.kind === 'result';
      const resultAt = isResult ? (last.get(input.region)?.resultAt ?? null) : null;
      const note = () => {
        if (!isResult) return;
        const { region, startedAt, responseTime } = input;
        last.set(region, { region, startedAt, resultAt: resultTime(config, input, now), responseTime });
      };
      const previous = { resultAt, certificateExpiresAt: null };
      if (isResult && !isContested(config, state) && isRoutine(config, previous, input, now)) {
        routine += 1;
        note();
        return [];
      }
      const caughtUp = withLastChecks(state, [...last.values()]);
      if (isResult && isNewResult(config, caughtUp, input, now)) note();
      const decided = transition(config, caughtUp, input, now);
      state = decided.state;
      return decided.effects;
    },
  };
}

describe('results that are recorded as routine', () => {
  it('have no effect: whatever follows is decided as if each had been decided upon', () => {
    let routine = 0;
    fc.assert(
      fc.property(configs, inputs, (config, steps) => {
        const recorder = createRecorder(config);
        let state: MonitorState = initialState(START);
        let now = START;
        const begun = new Map<string, number>();
        for (const { region, seen, pause, took, isUnserved } of steps) {
          now += pause * SECOND;
          // A region's checks follow each other.
          const startedAt = Math.max(now - took * SECOND, (begun.get(region) ?? 0) + 1);
          if (region !== 'tick') begun.set(region, startedAt);
          const input: CheckInput =
            region === 'tick'
              ? { kind: 'tick', unserved: isUnserved ? config.regions : [] }
              : resultOf(region, seen, startedAt);
          const expected = transition(config, state, input, now);
          state = expected.state;
          expect(recorder.feed(input, now).map(withoutCounts)).toEqual(expected.effects.map(withoutCounts));
        }
        routine += recorder.routine();
      }),
      { numRuns: sized(100, { thorough: 3000 }) },
    );
    expect(routine).toBeGreaterThan(sized(200, { thorough: 6000 }));
  });
});

/** Successes are not counted while nothing depends on their number. */
function withoutCounts(effect: Effect): unknown {
  if (effect.kind !== 'status') return effect;
  const regions = effect.why.regions.map(({ goods: _, ...vote }) => vote);
  return { ...effect, why: { ...effect.why, regions } };
}
