import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { initialState, restartedState } from './initial-state';
import { configOf, MINUTE, resultOf, SECOND, START, Story } from './testing/story';
import type { StateConfig } from './types';

const REGIONS = ['us', 'eu', 'ap'];

type Spell = {
  begins: 'restart' | 'gap';
  pause: number;
  /** When in the interval each region begins its checks, how long they take, and how many it runs. */
  phases: number[];
  took: number[];
  rounds: number;
};

/** Monitoring periods, each after a resume or a gap, with the seconds in between. */
const spellsAfter = (pauses: { restart: fc.Arbitrary<number>; gap: fc.Arbitrary<number> }) => {
  const perRegion = (seconds: number) =>
    fc.array(fc.integer({ min: 0, max: seconds }), { minLength: 5, maxLength: 5 });
  const rest = { phases: perRegion(59), took: perRegion(14), rounds: fc.integer({ min: 1, max: 5 }) };
  const spell = (begins: Spell['begins']) =>
    fc.record({ begins: fc.constant(begins), pause: pauses[begins], ...rest });
  return fc.array(fc.oneof(spell('restart'), spell('gap')), { minLength: 1, maxLength: 4 });
};

const thresholds = fc.record({
  alertThreshold: fc.integer({ min: 1, max: 3 }),
  recoveryThreshold: fc.integer({ min: 1, max: 3 }),
});

/** The outcome when these regions always see the target fail and the others never do. */
function watch(config: StateConfig, failing: readonly string[], spells: readonly Spell[]): Story {
  const story = new Story(config);
  let from = START;
  for (const { begins, pause, phases, took, rounds } of spells) {
    from += pause * SECOND;
    if (begins === 'restart') story.state = restartedState(story.state, from);
    const checks = config.regions.flatMap((region, index) =>
      Array.from({ length: rounds }, (_, round) => {
        const startedAt = from + round * MINUTE + (phases[index] ?? 0) * SECOND;
        return { region, startedAt, endedAt: startedAt + (took[index] ?? 0) * SECOND };
      }),
    );
    for (const { region, startedAt, endedAt } of checks.sort((a, b) => a.endedAt - b.endedAt)) {
      story.feed(resultOf(region, failing.includes(region) ? 'fail' : 'ok', startedAt), endedAt);
    }
    from = Math.max(...checks.map(({ endedAt }) => endedAt));
  }
  return story;
}

describe('a monitor that fails in a minority of its regions', () => {
  const goesDown = (story: Story) => story.changes().some(({ to }) => to === 'down');

  it('never goes down after creation, a resume, or a gap without votes, in any order of reports', () => {
    const regions = fc.shuffledSubarray(['us', 'eu', 'ap', 'sa', 'af'], { minLength: 2 });
    const spells = spellsAfter({ restart: fc.nat(300), gap: fc.integer({ min: 181, max: 500 }) });
    fc.assert(
      fc.property(regions, thresholds, fc.nat(), spells, (all, runs, some, watched) => {
        const failing = all.slice(0, some % (Math.floor(all.length / 2) + 1));
        expect(goesDown(watch(configOf({ ...runs, regions: all }), failing, watched))).toBe(false);
      }),
      { numRuns: sized(100, { thorough: 3000 }) },
    );
  });

  it('never goes down after any gap when one of three fails', () => {
    const any = fc.nat(300);
    fc.assert(
      fc.property(thresholds, spellsAfter({ restart: any, gap: any }), (runs, watched) => {
        expect(goesDown(watch(configOf({ ...runs, regions: REGIONS }), ['us'], watched))).toBe(false);
      }),
      { numRuns: sized(100, { thorough: 3000 }) },
    );
  });
});

describe('a monitor that only some of its regions ever check', () => {
  it('is decided by those within two intervals, two timeouts and 15 s of the required checks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom<'ok' | 'fail'>('ok', 'fail'),
        fc.integer({ min: 1, max: 4 }),
        (reporting, seen, alertThreshold) => {
          const config = configOf({ regions: ['us', 'eu', 'ap', 'sa'], alertThreshold });
          const story = new Story(config);
          story.state = initialState(START);
          const bound = 2 * (config.intervalMs + config.timeoutMs) + 15 * SECOND;
          const needed = seen === 'fail' ? (alertThreshold - 1) * config.intervalMs : 0;
          for (let at = START; at <= START + bound + needed; at += config.intervalMs) {
            for (const region of config.regions.slice(0, reporting)) {
              story.feed(resultOf(region, seen, at), at);
            }
          }
          expect(story.state.status).toBe(seen === 'ok' ? 'operational' : 'down');
        },
      ),
    );
  });
});
