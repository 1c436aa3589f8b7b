import { initialState } from '../../initial-state';
import { transition } from '../../transition';
import type { Effect, MonitorState, ResultInput, StateConfig } from '../../types';

/** How far the slots of two regions lie apart. */
const APART_MS = 7000;

/** A check of the simulation, with the state before and after it. */
export type Visit = {
  before: MonitorState;
  state: MonitorState;
  effects: Effect[];
  result: ResultInput;
  isOffGrid: boolean;
  now: number;
};

/**
 * Runs a monitor from `from` until `until` (epoch milliseconds), as the schedule does: each region checks in its slots, and off the grid
 * when that is due and no check began since.
 * `see` is the result of a check that begins and ends now.
 */
export function simulate(
  config: StateConfig,
  { from, until }: { from: number; until: number },
  see: (region: string, now: number) => ResultInput,
  visit: (visit: Visit) => void,
): void {
  let state = initialState(from);
  const slots = new Map(config.regions.map((id, place) => [id, from + place * APART_MS]));
  const begun = new Map<string, number>();
  const nextCheck = (id: string) => {
    const dueAt = state.confirmation?.regions[id]?.dueAt ?? null;
    const slot = slots.get(id) ?? from;
    return dueAt !== null && dueAt > (begun.get(id) ?? 0) ? Math.min(dueAt, slot) : slot;
  };
  for (let now = from; now < until; ) {
    const region = config.regions.reduce((first, id) => (nextCheck(id) < nextCheck(first) ? id : first));
    // A check takes a moment, so no check is due when another ends.
    now = Math.max(now + 1, nextCheck(region));
    const slot = slots.get(region) ?? now;
    if (now >= slot) slots.set(region, slot + config.intervalMs);
    begun.set(region, now);
    const before = state;
    const result = see(region, now);
    const decided = transition(config, state, result, now);
    state = decided.state;
    visit({ before, state, effects: decided.effects, result, isOffGrid: now < slot, now });
  }
}
