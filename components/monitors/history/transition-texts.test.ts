import { describe, expect, it } from 'vitest';
import { type Transition, whySchema } from '@/lib/schemas/monitor/transition';
import { formatTransition, formatVote } from './transition-texts';

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

describe('formatTransition', () => {
  it('shows the rule, every region’s vote, and that the change is backdated', () => {
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
    expect(formatTransition(transition({ why, decidedAt: '2026-03-10T14:04:30.000Z' }))).toEqual({
      title: 'Went down',
      why: '2 of 3 regions failed 3 checks in a row: connection refused',
      votes: [
        'us-east: failing, 3 failed checks in a row: connection refused',
        'eu-west: failing, 4 failed checks in a row: connection refused',
        'ap-southeast: good',
      ],
      backdated: 'Starts at the first check that showed it, 2m before the outage was confirmed.',
    });
  });

  it('names own regions in the rule', () => {
    const why = whySchema.parse({ rule: 'operational in loc_101 and loc_1012' });
    const shown = formatTransition(transition({ from: null, to: 'operational', why }), {
      loc_101: 'Head office',
    });
    expect(shown.why).toBe('Operational in Head office and loc_1012');
  });

  it('calls operational after down or degraded a recovery', () => {
    const why = whySchema.parse({ rule: 'Recovered in us-east' });
    for (const from of ['down', 'degraded'] as const) {
      expect(formatTransition(transition({ from, to: 'operational', why }))).toMatchObject({
        title: 'Recovered',
        why: 'Recovered in us-east',
      });
    }
  });

  it('shows a person’s action only in the title', () => {
    const format = (from: Transition['from'], to: Transition['to'], rule: string) =>
      formatTransition(transition({ from, to, why: whySchema.parse({ rule }) }));
    const rest = { votes: [], backdated: null };
    expect(format('operational', 'paused', 'monitoring was paused')).toEqual({
      title: 'Monitoring paused',
      why: null,
      ...rest,
    });
    expect(format('paused', 'pending', 'monitoring was resumed')).toEqual({
      title: 'Monitoring resumed',
      why: null,
      ...rest,
    });
    expect(format('operational', 'pending', 'what is probed was changed')).toEqual({
      title: 'Reset to pending',
      why: 'The probe settings changed',
      ...rest,
    });
  });

  it('calls operational a recovery only after down or degraded', () => {
    const title = (from: Transition['from']) =>
      formatTransition(transition({ from, to: 'operational' })).title;
    expect((['degraded', 'pending', 'maintenance', 'unknown'] as const).map(title)).toEqual([
      'Recovered',
      'Came up',
      'Operational again',
      'Operational again',
    ]);
  });

  it.each([
    [null, 'pending', 'Monitor created', null],
    [null, 'paused', 'Monitor created, paused', null],
    ['operational', 'unknown', 'Stopped reporting', 'No region has reported recently'],
    ['unknown', 'operational', 'Operational again', 'Regions are reporting again'],
  ] as const)('explains %s to %s without a stored reason', (from, to, title, why) => {
    expect(formatTransition(transition({ from, to }))).toMatchObject({ title, why });
  });
});

describe('formatVote', () => {
  it.each([
    [vote('us-east', { vote: false }), 'us-east: no recent result, so no vote'],
    [vote('us-east', { verdict: null }), 'us-east: not enough checks yet'],
    [vote('us-east', { verdict: 'slow', slows: 3 }), 'us-east: slow, 3 slow checks in a row'],
    [
      vote('us-east', { failures: 1, error: refused }),
      'us-east: good, but one failed check: connection refused',
    ],
  ])('%#', (each, text) => expect(formatVote(each)).toBe(text));
});
