import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { initialState } from './initial-state';
import { configOf, MINUTE, resultOf, SECOND, type Seen, START, Story } from './testing/story';
import { transition } from './transition';
import type { CheckInput, MonitorState, StateConfig } from './types';

const REGIONS = ['us', 'eu', 'ap', 'sa', 'af'];
const ROUNDS_TO_SETTLE = 12;

const thresholds = {
  alertThreshold: fc.integer({ min: 1, max: 4 }),
  recoveryThreshold: fc.integer({ min: 1, max: 4 }),
};
const configs = fc
  .record({ ...thresholds, count: fc.integer({ min: 1, max: REGIONS.length }) })
  .map(({ count, ...rest }) => configOf({ ...rest, regions: REGIONS.slice(0, count) }));

const sights = fc.constantFrom<Seen>('ok', 'ok', 'slow', 'fail', 'fail');

/** One check per region, by index, and the order in which the results arrive. */
const rounds = fc.array(
  fc.record({
    seen: fc.array(sights, { minLength: REGIONS.length, maxLength: REGIONS.length }),
    order: fc.shuffledSubarray(REGIONS, { minLength: REGIONS.length }),
  }),
  { maxLength: 12 },
);

/** An arbitrary sequence: any region, outcome and delay, including gaps and replays. */
const wildInputs = fc.array(
  fc.record({
    region: fc.constantFrom(...REGIONS, 'tick'),
    seen: fc.constantFrom<Seen>('ok', 'slow', 'fail', 'unknown'),
    pause: fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 40 }) },
      { weight: 1, arbitrary: fc.constant(400) },
    ),
    took: fc.integer({ min: 0, max: 30 }),
  }),
  { maxLength: 80 },
);

/** How many regions are unserved at a tick. */
const UNSERVED: Record<Seen, number> = { ok: 0, slow: 0, fail: 1, unknown: REGIONS.length };

/** Feeds a round: regions begin in their own order, a second apart; results arrive in another. */
function feedRound(
  story: Story,
  round: number,
  order: readonly string[],
  see: (region: string) => Seen,
): void {
  const began = START + round * MINUTE;
  const reporting = order.filter((region) => story.config.regions.includes(region));
  for (const [index, region] of reporting.entries()) {
    const startedAt = began + REGIONS.indexOf(region) * SECOND;
    story.feed(resultOf(region, see(region), startedAt), began + (10 + index) * SECOND);
  }
}

function runWild(
  config: StateConfig,
  inputs: typeof wildInputs extends fc.Arbitrary<infer T> ? T : never,
  each: (
    before: MonitorState,
    step: { input: CheckInput; now: number } & ReturnType<typeof transition>,
  ) => void,
): void {
  let state = initialState(START);
  let now = START;
  for (const { region, seen, pause, took } of inputs) {
    now += pause * SECOND;
    const input: CheckInput =
      region === 'tick'
        ? { kind: 'tick', unserved: config.regions.slice(0, UNSERVED[seen]) }
        : resultOf(region, seen, now - took * SECOND);
    const after = transition(config, state, input, now);
    each(state, { input, now, ...after });
    state = after.state;
  }
}

describe('transition', () => {
  it('settles on the same status regardless of the order of reports', () => {
    fc.assert(
      fc.property(
        configs,
        rounds,
        fc.array(sights, { minLength: 5, maxLength: 5 }),
        (config, reports, last) => {
          const shuffled = new Story(config);
          const sorted = new Story(config);
          for (const [index, { seen, order }] of reports.entries()) {
            const see = (region: string) => seen[REGIONS.indexOf(region)] ?? 'ok';
            feedRound(shuffled, index, order, see);
            feedRound(sorted, index, REGIONS, see);
          }
          const see = (region: string) => last[REGIONS.indexOf(region)] ?? 'ok';
          for (let round = reports.length; round < reports.length + ROUNDS_TO_SETTLE; round += 1) {
            feedRound(shuffled, round, [...REGIONS].reverse(), see);
            feedRound(sorted, round, REGIONS, see);
          }
          expect(shuffled.state.status).toBe(sorted.state.status);
          expect(shuffled.state.status).toBe(expectedStatus(config, see));
        },
      ),
      { numRuns: sized(60, { thorough: 2000 }) },
    );
  });

  it('never shows degraded in a total outage or recovery, and dates both to the q-th region that saw it', () => {
    fc.assert(
      fc.property(
        configs,
        fc.array(fc.shuffledSubarray(REGIONS, { minLength: 5 }), { minLength: 36, maxLength: 36 }),
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 0, max: 4 }),
        (config, orders, healthy, cut) => {
          const story = new Story(config);
          const outageBegins = START + healthy * MINUTE + cut * SECOND;
          const outageEnds = outageBegins + 12 * MINUTE;
          for (const [round, order] of orders.entries()) {
            feedRound(story, round, order, (region) => {
              const startedAt = START + round * MINUTE + REGIONS.indexOf(region) * SECOND;
              return startedAt >= outageBegins && startedAt < outageEnds ? 'fail' : 'ok';
            });
          }
          const statuses = story.changes().map((change) => change.to);
          expect(statuses.slice(statuses[0] === 'operational' ? 1 : 0)).toEqual(['down', 'operational']);

          const [down, up] = story.changes().slice(-2);
          const failing = down?.why.regions.filter((region) => region.verdict === 'failing') ?? [];
          const failed = failing.map(({ region }) => region);
          if (healthy > 0) expect(down?.since).toBe(seenByQuorum(config, failed, outageBegins));
          expect(up?.since).toBe(seenByQuorum(config, config.regions, outageEnds));
        },
      ),
      { numRuns: sized(60, { thorough: 2000 }) },
    );
  });

  it('needs a quorum to go down, and follows every ledger rule, in arbitrary sequences', () => {
    fc.assert(
      fc.property(configs, wildInputs, (config, inputs) => {
        let periodStart = START;
        let isKnown = true;
        runWild(config, inputs, (before, { now, state, effects }) => {
          for (const effect of effects) {
            const from = effect.kind === 'status' ? effect.since : effect.from;
            expect(from).toBeGreaterThanOrEqual(periodStart);
            expect(from).toBeLessThanOrEqual(now);
            periodStart = from;
            if (effect.kind === 'unknown') expect(isKnown).toBe(true);
            if (effect.kind === 'known') expect(isKnown).toBe(false);
            isKnown = effect.kind !== 'unknown' && (effect.kind === 'known' || isKnown);
            if (effect.kind !== 'status') continue;

            expect(isKnown).toBe(true);
            expect(effect.from).toBe(before.status);
            expect(effect.to).toBe(state.status);
            const { regions, voting, quorum } = effect.why;
            const failing = regions.filter((region) => region.vote && region.verdict === 'failing').length;
            expect(quorum).toBe(Math.floor(voting / 2) + 1);
            expect(failing >= quorum).toBe(effect.to === 'down');
            expect(effect.downtimeMs).toBeGreaterThanOrEqual(0);
            expect(effect.downtimeMs).toBeLessThanOrEqual(now - START);
          }
          if (effects.every((effect) => effect.kind !== 'status')) expect(state.status).toBe(before.status);
          expect(state.unknownSince === null).toBe(isKnown);
        });
      }),
      { numRuns: sized(80, { thorough: 3000 }) },
    );
  });

  it('ignores replayed results and repeated ticks', () => {
    fc.assert(
      fc.property(configs, wildInputs, (config, inputs) => {
        runWild(config, inputs, (_, { input, now, state }) => {
          expect(transition(config, state, input, now)).toEqual({ state, effects: [] });
          const ticked = transition(config, state, { kind: 'tick' }, now).state;
          expect(transition(config, ticked, { kind: 'tick' }, now)).toEqual({ state: ticked, effects: [] });
        });
      }),
      { numRuns: sized(40, { thorough: 1000 }) },
    );
  });

  it('decides the same from a state stored as JSON, and never mutates its input', () => {
    fc.assert(
      fc.property(configs, wildInputs, (config, inputs) => {
        runWild(config, inputs, (before, { input, now, state, effects }) => {
          const stored: MonitorState = JSON.parse(JSON.stringify(before));
          expect(stored).toEqual(before);
          expect(transition(config, deepFreeze(stored), input, now)).toEqual({ state, effects });
        });
      }),
      { numRuns: sized(40, { thorough: 1000 }) },
    );
  });
});

/** When a quorum of the monitor's regions had begun a check at or after a moment (see `feedRound`). */
function seenByQuorum(config: StateConfig, regions: string[], moment: number): number | undefined {
  const firsts = regions.map((region) => {
    const phase = START + REGIONS.indexOf(region) * SECOND;
    return phase + Math.max(0, Math.ceil((moment - phase) / MINUTE)) * MINUTE;
  });
  return firsts.sort((a, b) => a - b)[Math.floor(config.regions.length / 2)];
}

/** The status required by the rules when regions have seen the same outcome for a long time. */
function expectedStatus(config: StateConfig, see: (region: string) => Seen): string {
  const quorum = Math.floor(config.regions.length / 2) + 1;
  const count = (seen: Seen) => config.regions.filter((region) => see(region) === seen).length;
  if (count('fail') >= quorum) return 'down';
  return count('fail') > 0 || count('slow') >= quorum ? 'degraded' : 'operational';
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
