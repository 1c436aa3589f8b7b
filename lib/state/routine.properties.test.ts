import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { initialState } from './initial-state';
import { classifyResult, resultTime } from './region';
import {
  failureOf,
  isContested,
  isRoutine,
  type LastCheck,
  type PreviousResult,
  withLastChecks,
} from './routine';
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

/** Mostly results in turn that are all good, or all failed, for a while; sometimes a late or old one, a gap, or a tick. */
const inputs = fc.array(
  fc.record({
    region: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...REGIONS) },
      { weight: 1, arbitrary: fc.constant('tick') },
    ),
    seen: fc.oneof(
      { weight: 12, arbitrary: fc.constant<Seen | 'usual'>('usual') },
      { weight: 2, arbitrary: fc.constantFrom<Seen>('ok', 'fail', 'slow', 'unknown') },
    ),
    /** Whether what is usual changes. */
    turns: fc.oneof(
      { weight: 20, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
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
  const previous = new Map<string, PreviousResult>();
  const routine = { ok: 0, failed: 0 };
  return {
    routine: () => routine,
    feed: (input: CheckInput, now: number): Effect[] => {
      const isResult = input.kind === 'result';
      const note = ({ isDecided }: { isDecided: boolean }) => {
        if (!isResult) return;
        const { region, startedAt, responseTime } = input;
        const seen = classifyResult(config, input);
        const failed = seen.kind === 'failed';
        const resultAt = resultTime(config, input, now);
        const before = isDecided ? 0 : (last.get(region)?.failures ?? 0);
        last.set(region, {
          region,
          startedAt,
          resultAt,
          responseTime,
          failures: before + (failed && !isDecided ? 1 : 0),
        });
        const decidedAt = isDecided ? now : (previous.get(region)?.decidedAt ?? null);
        previous.set(region, {
          resultAt,
          certificateExpiresAt: null,
          failure: failed ? failureOf(seen) : null,
          decidedAt,
        });
      };
      const known = isResult ? previous.get(input.region) : undefined;
      if (isResult && known && !isContested(config, state) && isRoutine(config, known, input, now)) {
        if (input.outcome !== 'unknown') routine[input.outcome] += 1;
        note({ isDecided: false });
        return [];
      }
      const caughtUp = withLastChecks(state, [...last.values()]);
      // What the state knows now is not counted again.
      for (const [region, check] of last) last.set(region, { ...check, failures: 0 });
      if (isResult && isNewResult(config, caughtUp, input, now)) note({ isDecided: true });
      const decided = transition(config, caughtUp, input, now);
      state = decided.state;
      return decided.effects;
    },
  };
}

describe('results that are recorded as routine', () => {
  it('have no effect: whatever follows is decided as if each had been decided upon', () => {
    const routine = { ok: 0, failed: 0 };
    fc.assert(
      fc.property(configs, inputs, (config, steps) => {
        const recorder = createRecorder(config);
        let state: MonitorState = initialState(START);
        let now = START;
        let usual: Seen = 'ok';
        const begun = new Map<string, number>();
        for (const { region, seen, turns, pause, took, isUnserved } of steps) {
          now += pause * SECOND;
          if (turns) usual = usual === 'ok' ? 'fail' : 'ok';
          // A region's checks follow each other.
          const startedAt = Math.max(now - took * SECOND, (begun.get(region) ?? 0) + 1);
          if (region !== 'tick') begun.set(region, startedAt);
          const input: CheckInput =
            region === 'tick'
              ? { kind: 'tick', unserved: isUnserved ? config.regions : [] }
              : resultOf(region, seen === 'usual' ? usual : seen, startedAt);
          const expected = transition(config, state, input, now);
          state = expected.state;
          expect(recorder.feed(input, now).map(withoutCounts)).toEqual(expected.effects.map(withoutCounts));
        }
        routine.ok += recorder.routine().ok;
        routine.failed += recorder.routine().failed;
      }),
      { numRuns: sized(100, { thorough: 3000 }) },
    );
    expect(routine.ok).toBeGreaterThan(sized(100, { thorough: 6000 }));
    expect(routine.failed).toBeGreaterThan(sized(20, { thorough: 1500 }));
  });
});

/** Successes are not counted while nothing depends on their number. */
function withoutCounts(effect: Effect): unknown {
  if (effect.kind !== 'status') return effect;
  const regions = effect.why.regions.map(({ goods: _, ...vote }) => vote);
  return { ...effect, why: { ...effect.why, regions } };
}
