import { describe, expect, it } from 'vitest';
import { decideFlapping, decideSteady, type LedgerPeriod, listChanges } from './decide-flapping';

const MINUTE = 60_000;
const LIMITS = { changes: 3, withinMs: 4 * MINUTE, steadyMs: 5 * MINUTE };

/** Periods that were decided in these minutes, newest first. */
const ledger = (...periods: [LedgerPeriod['state'], number][]): LedgerPeriod[] =>
  periods
    .map(([state, minute]) => {
      const isDecided = ['operational', 'degraded', 'down'].includes(state);
      return { state, isDecided, from: minute * MINUTE - 1000, decidedAt: minute * MINUTE };
    })
    .toReversed();
const minutesOf = (changes: { decidedAt: number }[]) => changes.map(({ decidedAt }) => decidedAt / MINUTE);

describe('the changes of a monitor', () => {
  it('are those between operational, degraded and down, newest first', () => {
    const periods = ledger(['operational', 1], ['down', 2], ['degraded', 3], ['operational', 4]);
    expect(minutesOf(listChanges(periods))).toEqual([4, 3, 2, 1]);
  });

  it('do not include unknown periods, nor the status after them', () => {
    const periods = ledger(['down', 1], ['unknown', 2], ['down', 3]);
    const [last, ...others] = periods;
    if (last) expect(minutesOf(listChanges([{ ...last, isDecided: false }, ...others]))).toEqual([1]);
  });

  it.each(['paused', 'maintenance'] as const)('are those since the monitor was %s', (state) => {
    const periods = ledger(['down', 1], ['operational', 2], [state, 3], ['down', 4]);
    expect(minutesOf(listChanges(periods))).toEqual([4]);
  });

  it('do not include the first status of a monitor', () => {
    expect(listChanges(ledger(['pending', 1], ['operational', 2]))).toEqual([]);
    expect(minutesOf(listChanges(ledger(['pending', 1], ['operational', 2], ['down', 3])))).toEqual([3]);
    expect(listChanges(ledger(['pending', 1]))).toEqual([]);
    expect(listChanges([])).toEqual([]);
  });
});

describe('a monitor flaps', () => {
  const decide = (minutes: number[], { isFlapping = false, countedSince = null as number | null } = {}) => {
    const changes = listChanges(
      ledger(...minutes.map((minute) => ['down', minute] as [LedgerPeriod['state'], number])),
    );
    return decideFlapping(changes, { isFlapping, countedSince }, LIMITS);
  };

  it('with as many changes as the limit within the time, the first of which is returned', () => {
    const begins = (minute: number) => ({
      kind: 'begins',
      first: { from: minute * MINUTE - 1000, decidedAt: minute * MINUTE },
    });
    expect(decide([1, 2, 3])).toMatchObject(begins(1));
    expect(decide([1, 2, 4.9])).toMatchObject(begins(1));
    expect(decide([1, 2, 5, 5.5])).toMatchObject(begins(2));
  });

  it('not with fewer, nor with those that took longer', () => {
    expect(decide([])).toEqual({ kind: 'none' });
    expect(decide([1, 2])).toEqual({ kind: 'none' });
    expect(decide([1, 2, 5])).toEqual({ kind: 'none' });
  });

  it('not because of changes that others suppressed', () => {
    expect(decide([1, 2, 3], { countedSince: 1 * MINUTE })).toEqual({ kind: 'none' });
    expect(decide([1, 2, 3], { countedSince: 0.9 * MINUTE }).kind).toBe('begins');
  });

  it('on until its flapping is ended, however rarely it changes', () => {
    expect(decide([1, 60], { isFlapping: true })).toEqual({ kind: 'continues' });
  });

  it('with the fifth change within ten minutes, unless limits are given', () => {
    const changes = (...minutes: number[]) =>
      minutes.map((minute) => ({ from: 0, decidedAt: minute * MINUTE }));
    const context = { isFlapping: false, countedSince: null };
    expect(decideFlapping(changes(9.9, 3, 2, 1, 0), context).kind).toBe('begins');
    expect(decideFlapping(changes(10, 3, 2, 1, 0), context).kind).toBe('none');
    expect(decideFlapping(changes(3, 2, 1, 0), context).kind).toBe('none');
  });
});

describe('flapping is over', () => {
  const flapping = { lastChangeAt: MINUTE, isInterrupted: false, isUnknown: false, isSuppressed: false };
  const decide = (changes: Partial<typeof flapping>, minute: number) =>
    decideSteady({ ...flapping, ...changes }, minute * MINUTE, LIMITS);

  it('after enough time without a change', () => {
    expect(decide({}, 5.9)).toEqual({ kind: 'wait', until: 6 * MINUTE });
    expect(decide({}, 6)).toEqual({ kind: 'over' });
  });

  it('not without data, nor while what suppresses the monitor is down, which is looked at every minute', () => {
    expect(decide({ isUnknown: true }, 7)).toEqual({ kind: 'wait', until: 8 * MINUTE });
    expect(decide({ isSuppressed: true }, 7)).toEqual({ kind: 'wait', until: 8 * MINUTE });
  });

  it('at once if it is interrupted', () => {
    expect(decide({ isInterrupted: true, isUnknown: true, isSuppressed: true }, 1)).toEqual({ kind: 'over' });
  });
});
