import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { isCutShort } from '@/lib/state/groups/follow-members';
import { initialState, pausedState, restartedState } from '@/lib/state/initial-state';
import { enterMaintenance, keepLastNotified, leaveMaintenance } from '@/lib/state/maintenance';
import { GROUP_CONFIG } from '@/lib/state/testing/group';
import { transition } from '@/lib/state/transition';
import type {
  GroupMember,
  MemberRule,
  MemberState,
  MembersInput,
  MonitorState,
  MonitorStatus,
} from '@/lib/state/types';
import { sequences } from './testing/arbitrary-steps';
import { type Counted, GroupModel, lasting, type Rule, type Step } from './testing/group-model';

const STATES = { up: 'operational', degraded: 'degraded', down: 'down' } as const;
const AWAY = { silence: 'unknown', pause: 'paused', 'begin window': 'maintenance' } as const;
type Period = { at: number; state: MemberState };

const toRule = ({ kind, minimum }: Rule): MemberRule => ({ memberRule: kind, memberMinimum: minimum });

/** What the recorder would write: the latest periods of members, the state of the group and its ledger. */
class Recorded {
  now = 0;
  private members: Period[][];
  private state: MonitorState = initialState(0);
  private isPaused = false;
  private statusBefore: MonitorStatus | null = null;
  private rule: MemberRule;
  readonly ledger: Period[] = [{ at: 0, state: 'pending' }];

  constructor(count: number, rule: Rule) {
    this.members = Array.from({ length: count }, () => [{ at: 0, state: 'pending' as const }]);
    this.rule = toRule(rule);
  }

  take(step: Step, model: GroupModel): void {
    this.now += step.after;
    const edited = this.apply(step, model);
    if (!this.isPaused) this.judge(edited ? this.now : 0);
  }

  /** Returns whether the rule or the members were edited. */
  private apply(step: Step, model: GroupModel): boolean {
    const { now } = this;
    if (step.do === 'change' || step.do === 'return') {
      const at = step.do === 'change' ? model.begins(step.member, step.begun) : now;
      this.members[step.member]?.push({ at, state: STATES[step.is] });
    } else if (step.do === 'silence' || step.do === 'pause' || step.do === 'begin window') {
      this.members[step.member]?.push({ at: now, state: AWAY[step.do] });
    } else if (step.do === 'edit') {
      const before = JSON.stringify(this.rule);
      this.rule = toRule(step.rule);
      return JSON.stringify(this.rule) !== before;
    } else if (step.do === 'remove') {
      this.members = this.members.map((periods, member) => (member === step.member ? [] : periods));
      return true;
    } else this.changeGroup(step.do);
    return false;
  }

  private changeGroup(
    what: 'pause group' | 'resume group' | 'begin window of group' | 'end window of group',
  ) {
    const { now } = this;
    if (what === 'pause group') {
      this.isPaused = true;
      this.state = pausedState(this.state, now);
      this.ledger.push({ at: now, state: 'paused' });
    } else if (what === 'resume group') {
      this.isPaused = false;
      this.state = restartedState(this.state, now);
      this.ledger.push({ at: now, state: 'pending' });
    } else if (what === 'begin window of group') {
      this.statusBefore = this.state.status;
      this.state = enterMaintenance(this.state, now);
      this.ledger.push({ at: now, state: 'maintenance' });
    } else {
      this.state = leaveMaintenance(this.state, this.statusBefore ?? 'pending', now);
      this.statusBefore = null;
      const isKnown = this.state.unknownSince === null;
      this.ledger.push({ at: now, state: isKnown ? this.state.status : 'unknown' });
    }
  }

  private judge(notBefore: number): void {
    const toInput = (most: number): MembersInput => ({
      kind: 'members',
      rule: this.rule,
      members: this.members.filter((periods) => periods.length > 0).map((periods) => latestOf(periods, most)),
      notBefore,
    });
    const few = toInput(3);
    const input = isCutShort(this.state, few, this.now) ? toInput(1000) : few;
    const next = transition(GROUP_CONFIG, this.state, input, this.now);
    if (this.statusBefore !== null) {
      this.state = keepLastNotified(this.state, next.state);
      return;
    }
    let { status } = this.state;
    for (const effect of next.effects) {
      if (effect.kind === 'status') status = effect.to;
      const at = effect.kind === 'status' ? effect.since : effect.from;
      const last = this.ledger.at(-1);
      if (last && at < last.at) throw new Error('a period begins before the one before it');
      this.ledger.push({ at, state: effect.kind === 'unknown' ? 'unknown' : status });
    }
    this.state = next.state;
  }
}

/** As they are read of the database. */
function latestOf(periods: readonly Period[], most: number): GroupMember {
  const lasted = periods.filter(({ at }, place) => (periods[place + 1]?.at ?? at + 1) > at);
  const latest = lasted.slice(-most).toReversed();
  return {
    name: 'Member',
    periods: latest.map(({ at, state }) => ({ from: at, state })),
    isCut: latest.length === most,
  };
}

const COUNTED: Readonly<Record<MemberState, Counted>> = {
  operational: 'up',
  degraded: 'degraded',
  down: 'down',
  pending: 'none',
  paused: 'none',
  maintenance: 'none',
  unknown: 'none',
};

it('a group always has the status that a model written from its description predicts', () => {
  let taken = 0;
  fc.assert(
    fc.property(sequences, ({ count, rule, steps }) => {
      const model = new GroupModel(count, rule);
      const recorded = new Recorded(count, rule);
      for (const step of steps) {
        if (!model.allows(step)) continue;
        model.take(step);
        recorded.take(step, model);
        taken += 1;
        const ledger = recorded.ledger.map(({ at, state }) => ({ at, is: COUNTED[state] }));
        expect(lasting(ledger, recorded.now)).toEqual(model.ledger());
      }
    }),
    { numRuns: sized(400, { thorough: 10_000 }) },
  );
  expect(taken).toBeGreaterThan(1000);
});
