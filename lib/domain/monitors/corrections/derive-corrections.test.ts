import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { rules } from '@/lib/engine/groups/testing/arbitrary-steps';
import { amountTo, type Counted } from '@/lib/engine/groups/testing/group-model';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import type { CorrectedPeriod, Ledger, Period } from '../history/periods';
import { applyCorrections } from './apply-corrections';
import { deriveCorrections } from './derive-corrections';

const END = 40;
const at = (second: number) => new Date(second * 1000);
const STATES = ['operational', 'degraded', 'down', 'unknown', 'paused', 'maintenance'] as const;
const AS_COUNTED: Partial<Record<PeriodState, Counted>> = {
  operational: 'up',
  degraded: 'degraded',
  down: 'down',
};
const AS_STATE = { up: 'operational', degraded: 'degraded', down: 'down', none: 'unknown' } as const;

const second = fc.integer({ min: 1, max: END - 1 });

/** The periods between arbitrary moments, from the first one on; the last one is current. */
const periodsOf = (states: readonly PeriodState[]) =>
  fc
    .uniqueArray(fc.tuple(second, fc.constantFrom(...states)), { selector: ([start]) => start, maxLength: 6 })
    .map((changes) =>
      [[0, 'operational'] as const, ...changes]
        .toSorted(([a], [b]) => a - b)
        .map(([start, state], place, all): Period => {
          const next = all[place + 1];
          return { state, from: at(start), to: next ? at(next[0]) : null };
        }),
    );

/** Corrections that do not overlap. */
const corrections = periodsOf(['operational', 'degraded', 'down', 'maintenance', 'unknown', 'paused']).map(
  (periods) =>
    // A paused time stands for one without a correction: no person can correct to that.
    periods.flatMap(({ state, from, to }): CorrectedPeriod[] =>
      to === null || from.getTime() === 0 || state === 'paused' ? [] : [{ state, from, to }],
    ),
);

const ledgers: fc.Arbitrary<Ledger> = fc.record({ measured: periodsOf(STATES), corrections });

const stateAt = (periods: readonly Period[], moment: number): PeriodState =>
  periods.find(
    ({ from, to }) => from.getTime() <= moment && moment < (to?.getTime() ?? Number.POSITIVE_INFINITY),
  )?.state ?? 'pending';

it('a group is in hindsight what its members are with their corrections, where it follows them and has none of its own', () => {
  fc.assert(
    fc.property(
      fc.array(ledgers, { minLength: 1, maxLength: 4 }),
      rules,
      periodsOf(['operational', 'paused', 'maintenance']),
      corrections,
      (members, rule, kept, own) => {
        const amount = (states: readonly PeriodState[]) =>
          AS_STATE[
            amountTo(
              rule,
              states.map((state) => AS_COUNTED[state] ?? 'none'),
            )
          ];
        const seconds = Array.from({ length: END }, (_, place) => place * 1000);
        // What was measured of the group: what its members amounted to, unless it was paused or in maintenance.
        const measured = seconds.map((moment): Period => {
          const itself = stateAt(kept, moment);
          const followed = amount(members.map((member) => stateAt(member.measured, moment)));
          const state = itself === 'operational' ? followed : itself;
          return {
            state,
            from: new Date(moment),
            to: moment === (END - 1) * 1000 ? null : new Date(moment + 1000),
          };
        });
        const memberRule = { memberRule: rule.kind, memberMinimum: rule.minimum };
        const derived = deriveCorrections(memberRule, members, { measured, corrections: own });
        const shown = applyCorrections(measured, [...own, ...derived]);
        const expected = seconds.map((moment) => {
          const ownState = own.find(
            ({ from, to }) => from.getTime() <= moment && moment < to.getTime(),
          )?.state;
          const itself = stateAt(kept, moment);
          const corrected = members.map((member) =>
            stateAt(applyCorrections(member.measured, member.corrections), moment),
          );
          return ownState ?? (itself === 'operational' ? amount(corrected) : itself);
        });
        expect(seconds.map((moment) => stateAt(shown, moment))).toEqual(expected);
      },
    ),
    { numRuns: sized(300, { thorough: 10_000 }) },
  );
});
