import { describe, expect, it } from 'vitest';
import type { Rule } from '@/lib/schemas/webhooks/rules';
import { matchRules, type Subject } from './match-rules';

const ANY: Rule = { tags: [], monitors: [], severities: [], kinds: [], schedule: null };
const SHOP = { id: 'mon_shop', tags: ['shop', 'eu'] };
const BLOG = { id: 'mon_blog', tags: ['blog'] };
const OUTAGE: Subject = { kind: 'monitor.down', severity: 'critical', monitors: [SHOP] };
const NOON = Date.parse('2026-03-02T12:00Z');

const match = (rules: Partial<Rule>[], subject: Partial<Subject> = {}, at = NOON, knowsIncident = false) =>
  matchRules(
    rules.map((rule) => ({ ...ANY, ...rule })),
    { ...OUTAGE, ...subject },
    at,
    { knowsIncident },
  );
const isSent = (rule: Partial<Rule>, subject: Partial<Subject> = {}) => match([rule], subject) !== null;

describe('rules', () => {
  it('without any, everything is sent', () => {
    expect(match([])).toEqual({ by: 'everything' });
  });

  it.each<[string, Partial<Rule>, Partial<Subject>, boolean]>([
    ['one of the tags', { tags: ['db', 'shop'] }, {}, true],
    ['none of the tags', { tags: ['db'] }, {}, false],
    ['one of the monitors', { monitors: ['mon_x', 'mon_shop'] }, {}, true],
    ['another monitor, such as a deleted one', { monitors: ['mon_x'] }, {}, false],
    ['one of the severities', { severities: ['major', 'critical'] }, {}, true],
    ['another severity', { severities: ['major'] }, {}, false],
    ['no incident', { severities: ['minor', 'major', 'critical'] }, { severity: null }, false],
    ['one of the kinds', { kinds: ['monitor.down'] }, {}, true],
    ['another kind', { kinds: ['monitor.up'] }, {}, false],
    ['all conditions', { tags: ['shop'], monitors: ['mon_shop'], severities: ['critical'] }, {}, true],
    ['all conditions but one', { tags: ['shop'], monitors: ['mon_shop'], severities: ['minor'] }, {}, false],
    ['one of several affected monitors', { tags: ['blog'] }, { monitors: [SHOP, BLOG] }, true],
    [
      'tags and monitors of two monitors',
      { tags: ['blog'], monitors: [SHOP.id] },
      { monitors: [SHOP, BLOG] },
      false,
    ],
    ['no monitor, of any', { kinds: ['monitor.down'] }, { monitors: [] }, true],
    ['no monitor, of some', { tags: ['shop'] }, { monitors: [] }, false],
  ])('%s', (_, rule, subject, expected) => {
    expect(isSent(rule, subject)).toBe(expected);
  });

  it('one that matches is enough, and the first is named', () => {
    const rules = [{ tags: ['db'] }, { severities: ['critical' as const] }, { tags: ['shop'] }];
    expect(match(rules)).toEqual({ by: 'rule', index: 1 });
    expect(match([{ tags: ['db'] }, { tags: ['blog'] }])).toBeNull();
  });
});

describe('who was notified of an incident', () => {
  const knows = (rule: Partial<Rule>, kind: Subject['kind']) => match([rule], { kind }, NOON, true);

  it('gets the rest of it although no rule matches', () => {
    for (const kind of ['incident.updated', 'incident.resolved', 'monitor.up'] as const) {
      expect(knows({ tags: ['db'] }, kind)).toEqual({ by: 'incident' });
      expect(match([{ tags: ['db'] }], { kind })).toBeNull();
    }
  });

  it('gets its end even if the rules exclude such events, but no others of them', () => {
    const rule = { kinds: ['incident.created' as const] };
    expect(knows(rule, 'incident.resolved')).toEqual({ by: 'incident' });
    expect(knows(rule, 'monitor.up')).toEqual({ by: 'incident' });
    expect(knows(rule, 'incident.updated')).toBeNull();
  });
});

describe('a schedule', () => {
  const schedule = (
    from: string,
    to: string,
    days: NonNullable<Rule['schedule']>['days'] = [],
    timeZone = 'UTC',
  ) => ({
    schedule: { days, from, to, timeZone },
  });
  const isOn = (rule: Partial<Rule>, at: string) => match([rule], {}, Date.parse(at)) !== null;

  it.each<[string, Partial<Rule>, string, boolean]>([
    // 2026-03-02 is a Monday.
    ['begins with its first minute', schedule('08:00', '18:00'), '2026-03-02T08:00:00Z', true],
    ['not before', schedule('08:00', '18:00'), '2026-03-02T07:59:59.999Z', false],
    ['ends before its last', schedule('08:00', '18:00'), '2026-03-02T17:59:59.999Z', true],
    ['not after', schedule('08:00', '18:00'), '2026-03-02T18:00:00Z', false],
    ['on its days', schedule('08:00', '18:00', ['monday']), '2026-03-02T12:00Z', true],
    ['not on others', schedule('08:00', '18:00', ['tuesday', 'sunday']), '2026-03-02T12:00Z', false],
    ['across midnight, before it', schedule('22:00', '06:00', ['monday']), '2026-03-02T23:00Z', true],
    ['across midnight, after it', schedule('22:00', '06:00', ['monday']), '2026-03-03T05:59Z', true],
    [
      'across midnight, not on the morning of its day',
      schedule('22:00', '06:00', ['monday']),
      '2026-03-02T05:59Z',
      false,
    ],
    ['from Sunday to Monday', schedule('22:00', '06:00', ['sunday']), '2026-03-02T05:59Z', true],
    ['until midnight', schedule('18:00', '00:00', ['monday']), '2026-03-02T23:59:59Z', true],
    ['not past midnight', schedule('18:00', '00:00', ['monday']), '2026-03-03T00:00Z', false],
    ['the whole day', schedule('00:00', '00:00', ['monday']), '2026-03-02T23:59:59Z', true],
    ['the whole day, not the next', schedule('00:00', '00:00', ['monday']), '2026-03-03T00:00Z', false],
    ['24 hours from its beginning', schedule('09:00', '09:00', ['monday']), '2026-03-03T08:59Z', true],
    [
      'the day of the time zone',
      schedule('08:00', '09:00', ['tuesday'], 'Asia/Tokyo'),
      '2026-03-02T23:30Z',
      true,
    ],
    ['not the day in UTC', schedule('08:00', '09:00', ['monday'], 'Asia/Tokyo'), '2026-03-02T23:30Z', false],
    ['before 1970', schedule('08:00', '09:00', ['wednesday']), '1969-12-31T08:30Z', true],
    // Berlin: clocks go forward at 02:00 on 2026-03-29, and back at 03:00 on 2026-10-25, both Sundays.
    ['in winter time', schedule('08:00', '09:00', [], 'Europe/Berlin'), '2026-03-28T07:00Z', true],
    ['in summer time', schedule('08:00', '09:00', [], 'Europe/Berlin'), '2026-03-30T06:00Z', true],
    ['not an hour off', schedule('08:00', '09:00', [], 'Europe/Berlin'), '2026-03-30T07:00Z', false],
    [
      'from a skipped time on',
      schedule('02:30', '04:00', ['sunday'], 'Europe/Berlin'),
      '2026-03-29T01:00Z',
      true,
    ],
    [
      'not before a skipped time',
      schedule('02:30', '04:00', ['sunday'], 'Europe/Berlin'),
      '2026-03-29T00:59Z',
      false,
    ],
    [
      'the first of two hours',
      schedule('02:00', '03:00', ['sunday'], 'Europe/Berlin'),
      '2026-10-25T00:30Z',
      true,
    ],
    [
      'the second of two hours',
      schedule('02:00', '03:00', ['sunday'], 'Europe/Berlin'),
      '2026-10-25T01:30Z',
      true,
    ],
    [
      'across midnight and a change',
      schedule('22:00', '06:00', ['saturday'], 'Europe/Berlin'),
      '2026-03-29T03:59Z',
      true,
    ],
    ['not past it', schedule('22:00', '06:00', ['saturday'], 'Europe/Berlin'), '2026-03-29T04:00Z', false],
  ])('%s', (_, rule, at, expected) => {
    expect(isOn(rule, at)).toBe(expected);
  });
});
