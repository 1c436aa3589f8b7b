import { describe, expect, it } from 'vitest';
import { initialState } from '../initial-state';
import { GROUP_CONFIG } from '../testing/group';
import { transition } from '../transition';
import type { GroupMember, MemberRule, MemberState, MonitorState } from '../types';
import { explainGroup } from './explain-group';
import { judgeMembers } from './judge-group';

const ANY: MemberRule = { memberRule: 'any', memberMinimum: null };

const member = (name: string, ...periods: [MemberState, number][]): GroupMember => ({
  name,
  periods: periods.map(([state, from]) => ({ state, from })),
  isCut: false,
});

function follow(
  state: MonitorState,
  members: GroupMember[],
  now: number,
  { rule = ANY, notBefore = 0 } = {},
) {
  return transition(GROUP_CONFIG, state, { kind: 'members', rule, members, notBefore }, now);
}

describe('the rule of a group', () => {
  const states = (text: string): MemberState[] =>
    [...text].map((letter) => {
      const known = { u: 'operational', s: 'degraded', d: 'down', p: 'pending', z: 'paused' } as const;
      return known[letter as keyof typeof known] ?? (letter === 'm' ? 'maintenance' : 'unknown');
    });

  it.each([
    ['all', null, 'uuu', 'operational'],
    ['all', null, 'uud', 'down'],
    ['all', null, 'uus', 'degraded'],
    ['all', null, 'u?pzm', 'operational'],
    ['any', null, 'ddu', 'operational'],
    ['any', null, 'dds', 'degraded'],
    ['any', null, 'dd', 'down'],
    ['any', null, 'pzm?', 'unknown'],
    ['any', null, '', 'unknown'],
    ['count', 2, 'udu', 'operational'],
    ['count', 2, 'udd', 'down'],
    ['count', 5, 'uu', 'operational'],
    ['count', 5, 'ud', 'down'],
    ['share', 50, 'ud', 'operational'],
    ['share', 50, 'udd', 'down'],
    ['share', 34, 'udd', 'down'],
    ['share', 33, 'udd', 'operational'],
    ['share', 1, 'd', 'down'],
    ['share', 100, 'uu', 'operational'],
  ] as const)('%s %s of %s is %s', (memberRule, memberMinimum, members, expected) => {
    expect(judgeMembers({ memberRule, memberMinimum }, states(members)).status).toBe(expected);
  });
});

describe('a group', () => {
  it('is taken over at once, dated by the member that tipped it, and never before known time', () => {
    const fresh = initialState(100);
    const up = follow(fresh, [member('A', ['operational', 50]), member('B', ['down', 60])], 110);
    expect(up.effects).toMatchObject([{ to: 'operational', since: 100, event: null }]);
    const down = follow(
      up.state,
      [member('A', ['down', 200], ['operational', 50]), member('B', ['down', 150], ['operational', 140])],
      230,
    );
    expect(down.effects).toMatchObject([
      { from: 'operational', to: 'down', at: 230, since: 200, event: 'monitor.down', region: 'group' },
    ]);
    const back = follow(
      down.state,
      [member('A', ['operational', 300], ['down', 200]), member('B', ['down', 150])],
      310,
    );
    expect(back.effects).toMatchObject([
      { to: 'operational', since: 300, event: 'monitor.up', downtimeMs: 100 },
    ]);
  });

  it('is not dated before it got its members', () => {
    const up = follow(initialState(0), [member('A', ['operational', 0])], 10);
    const { effects } = follow(up.state, [member('B', ['down', 20])], 500, { notBefore: 400 });
    expect(effects).toMatchObject([{ to: 'down', since: 400 }]);
  });

  it('stays what it was while no member counts, and this time is unknown', () => {
    const down = follow(initialState(0), [member('A', ['down', 0])], 10);
    const lost = follow(down.state, [member('A', ['paused', 50], ['down', 0])], 60);
    expect(lost).toMatchObject({
      state: { status: 'down', unknownSince: 50, downFrom: null, downMs: 50 },
      effects: [{ kind: 'unknown', from: 50 }],
    });
    const same = follow(lost.state, [member('A', ['down', 90], ['pending', 80])], 95);
    expect(same).toMatchObject({ state: { unknownSince: null }, effects: [{ kind: 'known', from: 90 }] });
    const other = follow(lost.state, [member('A', ['operational', 90], ['pending', 80])], 95);
    expect(other.effects).toMatchObject([
      { kind: 'known', from: 90 },
      { kind: 'status', to: 'operational', since: 90, downtimeMs: 50 },
    ]);
  });

  it('is the same state if nothing changes, and time alone changes nothing', () => {
    const { state } = follow(initialState(0), [member('A', ['operational', 0])], 10);
    expect(follow(state, [member('A', ['operational', 5])], 20).state).toBe(state);
    expect(transition(GROUP_CONFIG, state, { kind: 'tick' }, 1e9).state).toBe(state);
    const fresh = initialState(0);
    expect(follow(fresh, [member('A', ['paused', 0])], 10).state).toBe(fresh);
  });

  it('is explained by its members: five by name, and the rest as a number', () => {
    const members = Array.from({ length: 8 }, (_, place) => member(`Node ${place + 1}`, ['down', 0]));
    const rule: MemberRule = { memberRule: 'count', memberMinimum: 4 };
    expect(explainGroup(rule, members)).toBe(
      '8 of 8 members are down, at least 4 must be up: Node 1, Node 2, Node 3, Node 4, Node 5 and 3 more',
    );
    expect(
      explainGroup({ memberRule: 'share', memberMinimum: 80 }, [member('Shop', ['operational', 0])]),
    ).toBe('1 of 1 member is up, at least 80% must be up');
  });
});
