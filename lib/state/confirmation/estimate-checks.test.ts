import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { endOf, type StoredCheck, toInput } from '../region';
import { compareAlerts, Replay } from '../replay';
import { configOf, MINUTE, resultOf, SECOND, START, Story } from '../testing/story';
import type { StateConfig } from '../types';
import { createEstimate, thinChecks } from './estimate-checks';
import { simulate } from './testing/simulate';

const CONFIRMING = configOf({ confirmMs: 10 * SECOND });

/** Checks of one region: `.` good, `x` failed, `?` inconclusive; a minute apart, unless `everyMs` says otherwise. */
function checksOf(pattern: string, { region = 'us', everyMs = MINUTE, from = START } = {}): StoredCheck[] {
  return [...pattern].map((seen, index) => ({
    region,
    startedAt: from + index * everyMs,
    outcome: seen === 'x' ? 'failed' : seen === '?' ? 'unknown' : 'ok',
    responseTime: seen === '.' ? 100 : null,
    error: seen === 'x' ? { code: 'connect', message: 'connection refused' } : null,
  }));
}

function replay(config: StateConfig, checks: readonly StoredCheck[]) {
  const run = new Replay(config, START);
  const estimate = createEstimate(config, checks);
  for (const check of checks.toSorted((a, b) => endOf(a, 0) - endOf(b, 0))) {
    const at = endOf(check, config.timeoutMs);
    run.confirm(estimate, at);
    run.feed(toInput(check, config), at);
  }
  return run.end(START + 60 * MINUTE);
}

const decided = ({ alerts }: ReturnType<typeof replay>) =>
  alerts.map(({ status, decidedAt }) => `${status} ${(decidedAt - START) / SECOND}`);

describe('a replay with checks off the grid that were not made', () => {
  it('knows of an outage after two of them, instead of two intervals', () => {
    const checks = checksOf('..xxxx..');
    const [now, then] = [replay(configOf(), checks), replay(CONFIRMING, checks)];
    expect([decided(now), decided(then)]).toEqual([['down 240'], ['down 140']]);
    expect([now.estimated, then.estimated]).toEqual([0, 2]);
    expect(compareAlerts(now.alerts, then.alerts)).toEqual({
      avoided: [],
      added: [],
      soonerMs: 100 * SECOND,
    });
  });

  it('alerts of what two regular checks in a row saw, but not of what the next one did not see', () => {
    const checks = checksOf('..xx...x...xx.');
    expect(decided(replay(configOf(), checks))).toEqual([]);
    expect(decided(replay(CONFIRMING, checks))).toEqual(['down 140', 'down 680']);
  });

  it('estimates nothing from inconclusive checks, or from one after a gap', () => {
    expect(replay(CONFIRMING, checksOf('..x?xx.')).estimated).toBe(1);
    const afterGap = checksOf('xx', { from: START + 10 * MINUTE });
    expect(replay(CONFIRMING, [...checksOf('..x'), ...afterGap]).estimated).toBe(0);
  });

  it('recovers as soon as further successes would have been seen', () => {
    const slow = { alertThreshold: 1, recoveryThreshold: 3 };
    const untilOf = (config: StateConfig) => replay(config, checksOf('.x....')).downMs / SECOND;
    expect(untilOf(configOf({ ...slow }))).toBe(untilOf({ ...CONFIRMING, ...slow }));
  });
});

describe('a replay of checks off the grid that were made', () => {
  const made = [
    ...checksOf('..x'),
    ...checksOf('xx', { from: START + 130 * SECOND, everyMs: 10 * SECOND }),
    ...checksOf('xx.', { from: START + 180 * SECOND }),
  ];

  it('estimates none of them again', () => {
    const { alerts, estimated } = replay(CONFIRMING, made);
    expect([alerts.map(({ decidedAt }) => (decidedAt - START) / SECOND), estimated]).toEqual([[140], 0]);
  });

  it('leaves out those that other settings would not have made', () => {
    expect(decided(replay(configOf(), thinChecks(configOf(), made)))).toEqual(['down 240']);
  });

  it('reproduces what happened, whatever that was', () => {
    const seen = fc.array(fc.constantFrom('ok' as const, 'fail' as const), { minLength: 2, maxLength: 40 });
    const regions = fc.constantFrom(1, 3);
    fc.assert(
      fc.property(seen, regions, (sights, size) => {
        const config = { ...CONFIRMING, regions: ['us', 'eu', 'ap'].slice(0, size) };
        const story = new Story(config);
        const checks: StoredCheck[] = [];
        let count = 0;
        simulate(
          config,
          { from: START, until: START + 40 * MINUTE },
          (region, now) => resultOf(region, sights[count++ % sights.length] ?? 'ok', now),
          ({ result, effects }) => {
            checks.push({ ...result, responseTime: result.responseTime && 0 });
            story.effects.push(...effects);
          },
        );
        const { alerts, estimated } = replay(config, checks);
        const down = story
          .changes()
          .filter(({ event }) => event === 'monitor.down' || event === 'monitor.degraded');
        expect(alerts.map(({ decidedAt }) => decidedAt)).toEqual(down.map(({ at }) => at));
        expect(estimated).toBe(0);
      }),
      { numRuns: sized(15, { thorough: 300 }) },
    );
  });
});
