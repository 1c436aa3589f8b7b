import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveKind } from '@/lib/schemas/live';
import { createLiveHub } from './hub';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An active hub, and a watcher of `org_1`. */
function begin() {
  const hub = createLiveHub();
  hub.resume();
  const hints: LiveKind[][] = [];
  const onEnd = vi.fn();
  const leave = hub.watch('org_1', { onHint: (kinds) => hints.push(kinds), onEnd });
  return { hub, hints, onEnd, leave };
}

it('immediately notifies the watchers of an organization, and no others', () => {
  const { hub, hints } = begin();
  hub.hear('changes org_2,org_3');
  expect(hints).toEqual([]);
  hub.hear('changes org_3,org_1');
  expect(hints).toEqual([['changes']]);
});

it('notifies at most once a second, and omits nothing', () => {
  const { hub, hints } = begin();
  hub.hear('results org_1');
  for (let count = 0; count < 50; count++) hub.hear('results org_1');
  hub.hear('changes org_1');
  expect(hints).toEqual([['results']]);
  vi.advanceTimersByTime(1000);
  expect(hints).toEqual([['results'], ['results', 'changes']]);
  vi.advanceTimersByTime(5000);
  expect(hints).toHaveLength(2);
  hub.hear('results org_1');
  expect(hints).toHaveLength(3);
});

it('ignores unknown hints', () => {
  const { hub, hints } = begin();
  for (const text of ['', 'changes', 'gossip org_1', '{}']) hub.hear(text);
  expect(hints).toEqual([]);
});

describe('a watcher', () => {
  it('receives nothing after leaving, not even pending hints', () => {
    // Idle connections that earlier tests of this process left have timers, too.
    const others = vi.getTimerCount();
    const { hub, hints, leave } = begin();
    hub.hear('results org_1');
    hub.hear('changes org_1');
    leave?.();
    expect(vi.getTimerCount()).toBe(others);
    vi.advanceTimersByTime(5000);
    expect(hints).toEqual([['results']]);
  });

  it('is accepted only while hints are received, and ended when they are not', () => {
    const { hub, onEnd } = begin();
    hub.suspend();
    expect(onEnd).toHaveBeenCalledTimes(1);
    const other = { onHint: vi.fn(), onEnd: vi.fn() };
    expect(hub.watch('org_1', other)).toBeNull();
    hub.resume();
    expect(hub.watch('org_1', other)).not.toBeNull();
  });
});
