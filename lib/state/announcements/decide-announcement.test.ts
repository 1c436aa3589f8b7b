import { describe, expect, it } from 'vitest';
import { type Ancestor, decideAnnouncement } from './decide-announcement';

const HELD_AT = 1_000_000;
const held = (causedBy: string | null = null) => ({ heldAt: HELD_AT, causedBy, intervalMs: 60_000 });
const gateway: Ancestor = {
  id: 'gateway',
  name: 'Gateway',
  isWatched: true,
  isDown: false,
  isDoubtful: false,
  isProbed: true,
  checkedAt: HELD_AT - 30_000,
  timeoutMs: 30_000,
  changedAt: HELD_AT - 3_600_000,
};
const decide = (ancestors: Partial<Ancestor>[], afterMs = 0, causedBy: string | null = null) =>
  decideAnnouncement(
    held(causedBy),
    ancestors.map((fields) => ({ ...gateway, ...fields })),
    HELD_AT + afterMs,
  );
const announced = { kind: 'announce' };

describe('a change of a monitor', () => {
  it('without anything to depend on is announced', () => {
    expect(decide([])).toEqual(announced);
  });

  it('is suppressed while an ancestor is down, the nearest of which is the cause', () => {
    const down = [{}, { id: 'core', name: 'Core', isDown: true }, { id: 'site', isDown: true }];
    expect(decide(down)).toEqual({ kind: 'suppress', causedBy: { id: 'core', name: 'Core' } });
  });

  it.each(['paused, in maintenance or without data'])('is announced if the ancestor is %s', () => {
    expect(decide([{ isWatched: false, isDown: true, isDoubtful: true }])).toEqual(announced);
  });

  it('waits for a check of its ancestors for ten seconds, or the longest timeout of those that are not checked', () => {
    const wait = (until: number, ...unclear: string[]) => ({ kind: 'wait', until: HELD_AT + until, unclear });
    expect(decide([{}])).toEqual(wait(10_000, 'gateway'));
    expect(decide([{}], 9999)).toEqual(wait(10_000, 'gateway'));
    expect(decide([{}], 10_000)).toEqual(announced);
    expect(decide([{ timeoutMs: 3000 }], 2999)).toEqual(wait(3000, 'gateway'));
    expect(decide([{ timeoutMs: 3000 }], 3000)).toEqual(announced);
    const other = { id: 'core', timeoutMs: 5000 };
    expect(decide([{ checkedAt: HELD_AT + 1 }, other])).toEqual(wait(5000, 'core'));
    expect(decide([{ checkedAt: HELD_AT }])).toEqual(wait(10_000, 'gateway'));
    expect(decide([{ checkedAt: null }])).toEqual(wait(10_000, 'gateway'));
  });

  it('is announced at once if all ancestors were checked since and succeed, or cannot be checked', () => {
    expect(decide([{ checkedAt: HELD_AT + 1 }, { isProbed: false }])).toEqual(announced);
  });

  it('waits for at most a minute while checks of an ancestor fail', () => {
    const failing = { checkedAt: HELD_AT + 5000, isDoubtful: true };
    expect(decide([failing], 59_999)).toEqual({
      kind: 'wait',
      until: HELD_AT + 60_000,
      unclear: ['gateway'],
    });
    expect(decide([failing], 60_000)).toEqual(announced);
  });
});

describe('a change that was suppressed', () => {
  it('stays so while the cause, or another ancestor, is down', () => {
    expect(decide([{ isDown: true }], 3_600_000, 'gateway')).toMatchObject({ kind: 'suppress' });
    expect(decide([{}, { id: 'core', isDown: true }], 0, 'gateway')).toMatchObject({
      causedBy: { id: 'core' },
    });
  });

  it('is announced one interval after the recovery of its cause', () => {
    const recovered = { changedAt: HELD_AT + 100_000, isDoubtful: true };
    const wait = { kind: 'wait', until: HELD_AT + 160_000, unclear: [] };
    expect(decide([recovered], 159_999, 'gateway')).toEqual(wait);
    expect(decide([recovered], 160_000, 'gateway')).toEqual(announced);
  });

  it('is announced at once if the cause says nothing any more, or is no ancestor any more', () => {
    expect(decide([{ isWatched: false }], 0, 'gateway')).toEqual(announced);
    expect(decide([{ id: 'core' }], 0, 'gateway')).toEqual(announced);
    expect(decide([{ changedAt: null }], 0, 'gateway')).toEqual(announced);
  });
});
