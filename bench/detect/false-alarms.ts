import { simulate } from '@/lib/state/confirmation/testing/simulate';
import type { ResultInput, StateConfig } from '@/lib/state/types';
import { createRandom } from '../playground';

const HOUR_MS = 3_600_000;
const FROM = Date.parse('2026-01-01T00:00:00.000Z');

/** What one day of many monitors amounts to: alerts, and checks. */
export type Day = { alerts: number; checks: number; offGrid: number };

/** Failures that have nothing to do with an outage: each check fails with this probability, and those that begin within `lastMs` after it. */
export type Noise = { probability: number; lastMs: number };

/**
 * Simulates 24 hours of monitors whose checks fail at random, through the state machine alone. The seed draws the same failures, with and
 * without confirmation, until the first check that differs.
 */
export function simulateDay(
  config: StateConfig,
  noise: Noise,
  { monitors, seed }: { monitors: number; seed: number },
): Day {
  const day: Day = { alerts: 0, checks: 0, offGrid: 0 };
  for (let monitor = 0; monitor < monitors; monitor += 1) {
    const draw = createRandom(seed * 100_003 + monitor);
    const failsUntil = new Map<string, number>();
    const see = (region: string, now: number): ResultInput => {
      const isHit = draw() < noise.probability;
      if (isHit) failsUntil.set(region, now + noise.lastMs);
      return toResult(region, now, isHit || now < (failsUntil.get(region) ?? 0));
    };
    simulate(config, { from: FROM, until: FROM + 24 * HOUR_MS }, see, ({ effects, isOffGrid }) => {
      day.checks += 1;
      day.offGrid += isOffGrid ? 1 : 0;
      for (const effect of effects)
        if (effect.kind === 'status' && effect.event === 'monitor.down') day.alerts += 1;
    });
  }
  return day;
}

function toResult(region: string, startedAt: number, isFailed: boolean): ResultInput {
  return {
    kind: 'result',
    region,
    startedAt,
    certificateExpiresAt: null,
    outcome: isFailed ? 'failed' : 'ok',
    responseTime: isFailed ? null : 100,
    statusCode: isFailed ? null : 200,
    error: isFailed ? { code: 'connect', message: 'connection refused' } : null,
  };
}
