import { describe, expect, it } from 'vitest';
import { type Transition, whySchema } from '@/lib/schemas/transition';
import { tellTransition, tellVote } from './transition-texts';

const AT = '2026-03-10T14:02:00.000Z';

const transition = (change: Partial<Transition>): Transition => ({
  from: 'operational',
  to: 'down',
  at: AT,
  decidedAt: AT,
  endedAt: null,
  why: null,
  ...change,
});

const refused = { code: 'connect', message: 'connection refused' };
const vote = (region: string, change: object = {}) => ({
  region,
  verdict: 'good' as const,
  failures: 0,
  slows: 0,
  goods: 5,
  vote: true,
  error: null,
  ...change,
});

describe('a change of state', () => {
  it('is told with the rule, every region’s vote, and how it was dated', () => {
    const why = whySchema.parse({
      rule: '2 of 3 regions failed 3 checks in a row: connection refused',
      regions: [
        vote('us-east', { verdict: 'failing', failures: 3, goods: 0, error: refused }),
        vote('eu-west', { verdict: 'failing', failures: 4, goods: 0, error: refused }),
        vote('ap-southeast'),
      ],
      voting: 3,
      quorum: 2,
      configVersion: 1,
    });
    expect(tellTransition(transition({ why, decidedAt: '2026-03-10T14:04:30.000Z' }))).toEqual({
      title: 'Went down',
      why: '2 of 3 regions failed 3 checks in a row: connection refused',
      votes: [
        'us-east: failing, 3 failed checks in a row: connection refused',
        'eu-west: failing, 4 failed checks in a row: connection refused',
        'ap-southeast: good',
      ],
      dating: 'Counted from the first check that showed it, 2m before it was sure.',
    });
  });

  it('from trouble to operational is a recovery', () => {
    const why = whySchema.parse({ rule: 'Recovered in us-east' });
    for (const from of ['down', 'degraded'] as const) {
      expect(tellTransition(transition({ from, to: 'operational', why }))).toMatchObject({
        title: 'Recovered',
        why: 'Recovered in us-east',
      });
    }
  });

  it('by a person says what was done, once', () => {
    const told = (to: Transition['to'], rule: string) =>
      tellTransition(transition({ to, why: whySchema.parse({ rule }) }));
    const without = { votes: [], dating: null };
    expect(told('paused', 'monitoring was paused')).toEqual({ title: 'Was paused', why: null, ...without });
    expect(told('pending', 'what is probed was changed')).toEqual({
      title: 'Checks began',
      why: 'What is probed was changed',
      ...without,
    });
  });

  it('to operational is a recovery only from trouble', () => {
    const title = (from: Transition['from']) => tellTransition(transition({ from, to: 'operational' })).title;
    expect((['degraded', 'pending', 'maintenance', 'unknown'] as const).map(title)).toEqual([
      'Recovered',
      'Came up',
      'Operational again',
      'Operational again',
    ]);
  });

  it.each([
    [null, 'pending', 'The monitor was made'],
    [null, 'paused', 'The monitor was made, paused'],
    ['operational', 'unknown', 'No region reported for some time'],
    ['unknown', 'operational', 'Regions report again'],
  ] as const)('without a stored reason, from %s to %s, is explained by what it is', (from, to, words) => {
    expect(tellTransition(transition({ from, to })).why).toBe(words);
  });
});

describe('the vote of a region', () => {
  it.each([
    [vote('us-east', { vote: false }), 'us-east: no recent result, so no vote'],
    [vote('us-east', { verdict: null }), 'us-east: too few checks to say'],
    [vote('us-east', { verdict: 'slow', slows: 3 }), 'us-east: slow, 3 slow checks in a row'],
    [
      vote('us-east', { failures: 1, error: refused }),
      'us-east: good, but one failed check: connection refused',
    ],
  ])('%# is told in words', (each, words) => expect(tellVote(each)).toBe(words));
});
