import { expect } from 'vitest';
import { initialState } from '../initial-state';
import { transition } from '../transition';
import type { CheckInput, Effect, MonitorState, ResultInput, StateConfig, StatusEffect } from '../types';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

/** When every story starts. */
export const START = Date.parse('2026-01-01T00:00:00.000Z');

/** A monitor checked every minute, with default thresholds. */
export function configOf(change: Partial<StateConfig> = {}): StateConfig {
  return {
    isProbed: true,
    intervalMs: MINUTE,
    timeoutMs: 30 * SECOND,
    alertThreshold: 3,
    recoveryThreshold: 1,
    degradedThresholdMs: 5000,
    confirmMs: null,
    tlsExpiryDays: null,
    regions: ['us'],
    configVersion: 1,
    ...change,
  };
}

export type Seen = 'ok' | 'slow' | 'fail' | 'unknown';

/** A tick, with the unserved regions: `us,eu`. */
function tickOf(unserved: string | undefined): CheckInput {
  return { kind: 'tick', unserved: unserved?.split(',') ?? [] };
}

/** The result of a check that began at `startedAt`. */
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
 * Runs a monitor's story, one step per line: `<seconds> <region> <seen>` or `<seconds> tick [<unserved
 * regions>]`. After `->` comes the expected status and any other effects as formatted by `formatEffect`. A
 * check takes no time unless written as `<began>..<ended>`.
 *
 *     0   us fail -> pending
 *     120 us fail -> down monitor.down@0
 */
export class Story {
  state: MonitorState = initialState(START);
  effects: Effect[] = [];

  constructor(readonly config: StateConfig) {}

  /**
   * Runs one input (`60 us ok`, `60..85 us fail` or `60 tick`) and returns the outcome to compare with the
   * part after `->`.
   */
  step(text: string): string {
    const [time = '', region = '', seen] = text.trim().split(/\s+/);
    const [began = 0, came = began] = time.split('..').map((part) => START + Number(part) * SECOND);
    return this.feed(region === 'tick' ? tickOf(seen) : resultOf(region, toSeen(seen), began), came);
  }

  feed(input: CheckInput, now: number): string {
    const { state, effects } = transition(this.config, this.state, input, now);
    this.state = state;
    this.effects.push(...effects);
    return [state.status, ...effects.map(formatEffect)].join(' ');
  }

  /** Runs the lines and returns them with their actual outcome, to be compared with the lines themselves. */
  run(lines: string): string[] {
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

/** Runs the story of a new monitor and expects the outcome of every line. */
export function expectStory(config: Partial<StateConfig>, lines: string): Story {
  const story = new Story(configOf(config));
  expect(story.run(lines)).toEqual(linesOf(lines));
  return story;
}

/** The lines of a story, without indentation and with single spaces. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().replace(/\s+/g, ' '));
  return lines.filter((line) => line !== '');
}

function formatEffect(effect: Effect): string {
  const from = effect.kind === 'status' ? effect.since : effect.from;
  const name = effect.kind === 'status' ? (effect.event ?? 'silent') : effect.kind;
  return `${name}@${(from - START) / SECOND}`;
}

function toSeen(text: string | undefined): Seen {
  if (text === 'ok' || text === 'slow' || text === 'fail' || text === 'unknown') return text;
  throw new Error(`a check sees ok, slow, fail or unknown, not ${text}`);
}
