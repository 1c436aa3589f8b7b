import fc from 'fast-check';
import { expect, it } from 'vitest';
import { initialState } from '@/lib/state/initial-state';
import { transition } from '@/lib/state/transition';
import type { CheckInput, StateConfig } from '@/lib/state/types';
import { createModel, type Model, type ModelConfig, type Period, record, tick } from './faults/checker/model';

const SECOND = 1000;
const REGIONS = ['a', 'b', 'c'];
const OUTCOMES = ['good', 'slow', 'failing'] as const;

type Step = {
  /** Milliseconds since the step before. */
  after: number;
  region: number;
  outcome: (typeof OUTCOMES)[number] | 'tick';
  /** Milliseconds that the check took, and how late its result is recorded. */
  took: number;
  late: number;
  gone: string[];
};

const configs = fc.record({
  regions: fc.integer({ min: 1, max: 3 }).map((count) => REGIONS.slice(0, count)),
  interval: fc.constantFrom(30 * SECOND, 60 * SECOND),
  timeout: fc.constantFrom(10 * SECOND, 25 * SECOND),
  alertThreshold: fc.integer({ min: 1, max: 3 }),
  recoveryThreshold: fc.integer({ min: 1, max: 2 }),
});

const seconds = (min: number, max: number) => fc.integer({ min, max }).map((count) => count * SECOND);

const steps = fc.array(
  fc.record({
    after: fc.oneof(
      { weight: 8, arbitrary: seconds(0, 30) },
      { weight: 1, arbitrary: seconds(30, 120) },
      { weight: 1, arbitrary: seconds(120, 400) },
    ),
    region: fc.nat(2),
    outcome: fc.constantFrom<Step['outcome']>(
      'good',
      'good',
      'slow',
      'failing',
      'failing',
      'failing',
      'tick',
    ),
    took: seconds(0, 12),
    late: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: seconds(0, 200) }),
    gone: fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, fc.subarray(REGIONS)),
  }),
  { minLength: 10, maxLength: 60 },
);

/** The ledger that the service keeps, as `lib/domain/monitors/history/ledger.ts` writes it. */
function runService(config: ModelConfig, all: Step[]): Period[] {
  const settings: StateConfig = {
    isProbed: true,
    regions: [...config.regions],
    intervalMs: config.interval,
    timeoutMs: config.timeout,
    alertThreshold: config.alertThreshold,
    recoveryThreshold: config.recoveryThreshold,
    degradedThresholdMs: 5000,
    confirmMs: null,
    tlsExpiryDays: null,
    configVersion: 1,
  };
  let state = initialState(0);
  let now = 0;
  const periods: Period[] = [{ state: 'pending', at: 0, decidedAt: 0 }];
  for (const step of all) {
    now += step.after;
    const { effects, state: next } = transition(settings, state, inputOf(config, step, now), now);
    for (const effect of effects) {
      const from = effect.kind === 'status' ? effect.since : effect.from;
      const to = effect.kind === 'status' ? effect.to : effect.kind === 'unknown' ? 'unknown' : state.status;
      periods.push({ state: to, at: Math.max(from, periods.at(-1)?.at ?? from), decidedAt: now });
    }
    state = next;
  }
  return periods;
}

const RESPONSE_TIMES = { good: 100, slow: 7000, failing: null };

function inputOf(
  { regions }: ModelConfig,
  { region, outcome, took, late, gone }: Step,
  now: number,
): CheckInput {
  if (outcome === 'tick') return { kind: 'tick', unserved: gone };
  return {
    kind: 'result',
    region: regions[region % regions.length] ?? 'a',
    startedAt: Math.max(0, now - took - late),
    outcome: outcome === 'failing' ? 'failed' : 'ok',
    responseTime: RESPONSE_TIMES[outcome],
    statusCode: null,
    certificateExpiresAt: null,
    error: null,
  };
}

function runModel(config: ModelConfig, all: Step[]): Model {
  let now = 0;
  return all.reduce(
    (model, step) => {
      now += step.after;
      const { outcome, took, late, gone } = step;
      if (outcome === 'tick') return tick(model, now, 0, isSilent(model, now, gone) ? gone : []);
      const region = config.regions[step.region % config.regions.length] ?? 'a';
      const begunAt = Math.max(0, now - took - late);
      return record(model, { region, outcome, begunAt, responseTime: RESPONSE_TIMES[outcome] }, now);
    },
    createModel(config, 0),
  );
}

/** Regions without a worker matter only if no other one has a vote. */
function isSilent({ config, votes }: Model, now: number, gone: string[]): boolean {
  const { interval, timeout } = config;
  return Object.entries(votes).every(([region, { resultAt }]) =>
    gone.includes(region) ? now - resultAt >= interval : now - resultAt > 3 * Math.max(interval, timeout),
  );
}

const visible = (periods: Period[]) =>
  periods.filter(({ at }, index) => periods[index + 1]?.at !== at).map(({ state, at }) => `${state} ${at}`);

it('the service keeps the ledger of the model, in whatever order and however late results are recorded', () => {
  fc.assert(
    fc.property(configs, steps, (config, all) => {
      expect(visible(runService(config, all))).toEqual(visible(runModel(config, all).periods));
    }),
    { seed: 1, numRuns: 500 },
  );
});
