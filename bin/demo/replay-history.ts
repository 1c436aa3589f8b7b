import type { ProbeResult } from '@/lib/checks/result';
import {
  addResponseTime,
  EMPTY_HISTOGRAM,
  type LatencyHistogram,
} from '@/lib/domain/monitors/history/read-latency';
import { initialState } from '@/lib/state/initial-state';
import { transition } from '@/lib/state/transition';
import type { MonitorState, StateConfig, StatusEffect } from '@/lib/state/types';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Interval of checks in the first days: hourly charts look the same. */
const COARSE = 5 * MINUTE;

/** A check of the past; `startedAt` in epoch milliseconds. */
export type PastCheck = { region: string; startedAt: number; result: ProbeResult };

/** The results of an hour from one region, aggregated. */
export type PastHour = {
  region: string;
  hour: number;
  checks: number;
  failures: number;
  sum: number;
  latency: LatencyHistogram;
};

export type ReplayedHistory = {
  /** The state at the end. */
  state: MonitorState;
  changes: StatusEffect[];
  hours: PastHour[];
  /** The checks since `rawSince`. */
  checks: PastCheck[];
};

type Span = { from: number; until: number; rawSince: number };

/**
 * Replays the past of a monitor: every check from `from` to `until` (epoch milliseconds) goes through the state machine of the
 * engine, and results in status changes, hourly rollups, and the individual checks since `rawSince`.
 */
export function replayHistory(
  config: StateConfig,
  { from, until, rawSince }: Span,
  sample: (region: string, at: number) => ProbeResult,
): ReplayedHistory {
  const hours = new Map<string, PastHour>();
  const history: ReplayedHistory = { state: initialState(from), changes: [], hours: [], checks: [] };
  for (let at = from; at < until; ) {
    const step = at >= rawSince ? MINUTE : COARSE;
    for (const [place, region] of config.regions.entries()) {
      const startedAt = at + place * 1000;
      const result = sample(region, startedAt);
      const input = { kind: 'result', region, startedAt, ...result } as const;
      const decided = transition({ ...config, intervalMs: step }, history.state, input, startedAt + 500);
      history.state = decided.state;
      for (const effect of decided.effects) if (effect.kind === 'status') history.changes.push(effect);
      countCheck(hours, region, startedAt, result);
      if (at >= rawSince) history.checks.push({ region, startedAt, result });
    }
    at += step;
  }
  history.hours = [...hours.values()];
  return history;
}

function countCheck(hours: Map<string, PastHour>, region: string, at: number, result: ProbeResult): void {
  const hour = Math.floor(at / HOUR) * HOUR;
  const key = `${region} ${hour}`;
  const known = hours.get(key) ?? { region, hour, checks: 0, failures: 0, sum: 0, latency: EMPTY_HISTOGRAM };
  const isGood = result.outcome === 'ok' && result.responseTime !== null;
  hours.set(key, {
    ...known,
    checks: known.checks + 1,
    failures: known.failures + (result.outcome === 'failed' ? 1 : 0),
    sum: known.sum + (isGood ? (result.responseTime ?? 0) : 0),
    latency: isGood ? addResponseTime(known.latency, result.responseTime ?? 0) : known.latency,
  });
}
