import { initialState } from '../initial-state';
import { transition } from '../transition';
import type { CheckInput, Effect, MonitorState, ResultInput, StateConfig, StatusEffect } from '../types';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

/** The moment at which every story begins. */
export const START = Date.parse('2026-01-01T00:00:00.000Z');

/** A monitor checked every minute, with the thresholds of a new one. */
export function configOf(change: Partial<StateConfig> = {}): StateConfig {
  return {
    intervalMs: MINUTE,
    timeoutMs: 30 * SECOND,
    alertThreshold: 3,
    recoveryThreshold: 1,
    degradedThresholdMs: 5000,
    tlsExpiryDays: null,
    regions: ['us'],
    configVersion: 1,
    ...change,
  };
}

export type Seen = 'ok' | 'slow' | 'fail' | 'unknown';

/** Time that passes, with the regions that no worker lives in: `us,eu`. */
function tickOf(unserved: string | undefined): CheckInput {
  return { kind: 'tick', unserved: unserved?.split(',') ?? [] };
}

/** A check that began at `startedAt` and saw this. */
export function resultOf(region: string, seen: Seen, startedAt: number): ResultInput {
  const failed = seen === 'fail';
  return {
    kind: 'result',
    region,
    startedAt,
    outcome: seen === 'slow' ? 'ok' : seen === 'fail' ? 'failed' : seen,
    responseTime: failed ? null : seen === 'slow' ? 6000 : 100,
    certificateExpiresAt: null,
    statusCode: failed ? null : 200,
    error: failed ? { code: 'connect', message: `connection refused (${region})` } : null,
  };
}

/**
 * Tells a monitor's story. One step a line, `<seconds> <region> <seen>` or `<seconds> tick [<unserved regions>]`, and what has to follow
 * after `->`: the status, then what else changed as `effects` puts it. A check takes no time unless written
 * `<began>..<came>`.
 *
 *     0   us fail -> pending
 *     120 us fail -> down monitor.down@0
 */
export class Story {
  state: MonitorState = initialState(START);
  effects: Effect[] = [];

  constructor(readonly config: StateConfig) {}

  /** One input, as `60 us ok`, `60..85 us fail` or `60 tick`; answers what `->` is compared with. */
  step(text: string): string {
    const [time = '', region = '', seen] = text.trim().split(/\s+/);
    const [began = 0, came = began] = time.split('..').map((part) => START + Number(part) * SECOND);
    return this.feed(region === 'tick' ? tickOf(seen) : resultOf(region, toSeen(seen), began), came);
  }

  feed(input: CheckInput, now: number): string {
    const { state, effects } = transition(this.config, this.state, input, now);
    this.state = state;
    this.effects.push(...effects);
    return [state.status, ...effects.map(describe)].join(' ');
  }

  /** Runs the lines and answers them as they came true, to be compared with the lines themselves. */
  told(lines: string): string[] {
    return linesOf(lines).map((line) => {
      const step = line.split('->')[0]?.trim() ?? '';
      return `${step} -> ${this.step(step)}`;
    });
  }

  changes(): StatusEffect[] {
    return this.effects.filter((effect) => effect.kind === 'status');
  }

  lastChange(): StatusEffect {
    const last = this.changes().at(-1);
    if (!last) throw new Error('the status never changed');
    return last;
  }
}

/** The lines of a story, without indentation and with single spaces. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().replace(/\s+/g, ' '));
  return lines.filter((line) => line !== '');
}

function describe(effect: Effect): string {
  const from = effect.kind === 'status' ? effect.since : effect.from;
  const name = effect.kind === 'status' ? (effect.event ?? 'silent') : effect.kind;
  return `${name}@${(from - START) / SECOND}`;
}

function toSeen(text: string | undefined): Seen {
  if (text === 'ok' || text === 'slow' || text === 'fail' || text === 'unknown') return text;
  throw new Error(`a check sees ok, slow, fail or unknown, not ${text}`);
}
