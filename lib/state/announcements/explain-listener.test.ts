import { expect, it } from 'vitest';
import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import type { Rule } from '@/lib/schemas/webhooks/rules';
import { explainEndpoint, explainMember, explainRecipient, type Happening } from './explain-listener';

const ANY: Rule = { tags: [], monitors: [], severities: [], kinds: [], schedule: null };
const OUTAGE: Happening = {
  kinds: ['monitor.down', 'incident.created'],
  severity: 'critical',
  monitors: [{ id: 'mon_1', tags: ['shop'] }],
  at: 0,
  quiet: null,
};
const CHAT = {
  enabled: true,
  format: 'slack',
  events: ['incident.created'] as EventKind[],
  rules: [] as Rule[],
};
const no = (reason: string) => ({ notified: false, reason, rule: null });
const everything = { notified: true, reason: 'everything', rule: null };

it('explains why an endpoint is notified or not', () => {
  const explain = (fields: Partial<typeof CHAT>, happening: Partial<Happening> = {}) =>
    explainEndpoint({ ...CHAT, ...fields }, { ...OUTAGE, ...happening });
  expect(explain({})).toEqual(everything);
  expect(
    explain({
      rules: [
        { ...ANY, tags: ['db'] },
        { ...ANY, tags: ['shop'] },
      ],
    }),
  ).toEqual({
    notified: true,
    reason: 'rule',
    rule: 1,
  });
  expect(explain({ rules: [{ ...ANY, tags: ['db'] }] })).toEqual(no('no_rule_matches'));
  // One of the two events is enough.
  expect(
    explain({
      events: ['monitor.down', 'incident.created'],
      rules: [{ ...ANY, kinds: ['incident.created'] }],
    }),
  ).toMatchObject({ rule: 0 });
  expect(explain({ events: ['monitor.up'] })).toEqual(no('not_subscribed'));
  expect(explain({ enabled: false })).toEqual(no('disabled'));
  expect(explain({}, { quiet: 'held' })).toEqual(no('held'));
});

it('explains why a member is emailed or not', () => {
  const explain = (fields: object, happening: Partial<Happening> = {}, isMailOn = true) =>
    explainMember(
      { alertMail: true, hasBrowser: false, rules: [], ...fields },
      { ...OUTAGE, ...happening },
      { isMailOn },
    );
  expect(explain({})).toEqual(everything);
  expect(explain({ rules: [{ ...ANY, severities: ['critical'] }] })).toMatchObject({
    reason: 'rule',
    rule: 0,
  });
  expect(explain({ rules: [{ ...ANY, severities: ['minor'] }] })).toEqual(no('no_rule_matches'));
  expect(explain({ alertMail: false })).toEqual(no('alerts_off'));
  expect(explain({}, { kinds: ['incident.updated'] })).toEqual(no('not_emailed'));
  expect(explain({}, {}, false)).toEqual(no('email_off'));
  expect(explain({ alertMail: false, hasBrowser: true }, {}, false)).toEqual(everything);
  expect(explain({}, { quiet: 'held' })).toEqual(no('held'));
});

it('explains why an address without an account is emailed or not', () => {
  const explain = (fields: object, happening: Partial<Happening> = {}) =>
    explainRecipient(
      { status: 'active', rules: [], ...fields },
      { ...OUTAGE, ...happening },
      { isMailOn: true },
    );
  expect(explain({})).toEqual(everything);
  expect(explain({ status: 'pending' })).toEqual(no('unconfirmed'));
  expect(explain({ status: 'disabled' })).toEqual(no('disabled'));
  expect(explain({ status: 'unsubscribed' })).toEqual(no('unsubscribed'));
  expect(explain({ rules: [{ ...ANY, severities: ['minor'] }] })).toEqual(no('no_rule_matches'));
  expect(explain({}, { kinds: ['incident.updated'] })).toEqual(no('not_emailed'));
  expect(explain({}, { quiet: 'held' })).toEqual(no('held'));
});

it.each([
  ['held', { slack: false, pagerduty: false, custom: false, standard: true }],
  ['flapping', { slack: false, pagerduty: false, custom: true, standard: true }],
  ['maintenance', { slack: false, pagerduty: false, custom: false, standard: false }],
  ['paused', { slack: false, pagerduty: false, custom: false, standard: false }],
] as const)('while a monitor is %s, only programs are notified, if anyone is', (quiet, notified) => {
  const happening = { ...OUTAGE, quiet };
  for (const [format, isNotified] of Object.entries(notified)) {
    expect([format, explainEndpoint({ ...CHAT, format, events: [...OUTAGE.kinds] }, happening)]).toEqual([
      format,
      isNotified ? everything : no(quiet),
    ]);
  }
  expect(
    explainMember({ alertMail: true, hasBrowser: false, rules: [] }, happening, { isMailOn: true }),
  ).toEqual(no(quiet));
});

it.each(['maintenance', 'paused'] as const)(
  'an incident that people open is sent while a monitor is %s',
  (quiet) => {
    expect(explainEndpoint(CHAT, { ...OUTAGE, kinds: ['incident.created'], quiet })).toEqual(everything);
  },
);
