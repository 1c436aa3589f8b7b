import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { EVENT_KINDS } from '@/lib/schemas/webhooks/event-kinds';
import { MEMBER_KINDS, type Rule } from '@/lib/schemas/webhooks/rules';
import { NobodyNotified } from '../nobody-notified';
import { EMPTY_RULE } from '../rules/rule-texts';
import { AudienceList } from './audience-list';
import { formatReceiving } from './audience-texts';

const NAMES = new Map([['mon_1', 'Shop']]);
const channel = { type: 'webhook' as const, events: EVENT_KINDS, rules: [], silence: null };
const member = { type: 'member' as const, events: MEMBER_KINDS, rules: [], silence: null };
const rule = (fields: Partial<Rule>): Rule => ({ ...EMPTY_RULE, ...fields });

it.each([
  [channel, 'Every event, of all monitors.'],
  [
    { ...channel, events: ['incident.created', 'incident.resolved'] as const },
    'New incidents and resolved incidents, of all monitors.',
  ],
  [member, 'Outages and recoveries, of all monitors.'],
  [
    { ...member, rules: [rule({ tags: ['shop'] }), rule({ monitors: ['mon_1'], severities: ['critical'] })] },
    'Outages and recoveries. Only: tag shop; or Shop · critical.',
  ],
  [{ ...channel, silence: 'disabled' as const }, 'Nothing: it is disabled.'],
  [{ ...member, silence: 'email_off' as const }, 'Nothing: this service cannot send email.'],
])('%j is a sentence', (receiving, sentence) => {
  expect(formatReceiving(receiving, NAMES)).toBe(sentence);
});

it('each channel and member links to where it is set up', () => {
  const audience = [
    { ...channel, id: 'whk_1', name: 'Paging', channel: 'Slack' },
    { ...member, id: 'usr_1', name: 'ada@example.com', channel: 'Email' },
  ];
  const html = renderToStaticMarkup(<AudienceList audience={audience} names={NAMES} />);
  expect(html).toContain('href="/notifications/whk_1"');
  expect(html).toContain('href="/settings/members"');
});

it.each([
  [true, 'href="/notifications/new"'],
  [false, 'Ask a member or admin'],
])('says that nobody is notified, and what to do (may add channels: %s)', (mayCreate, next) => {
  const html = renderToStaticMarkup(<NobodyNotified mayCreate={mayCreate} />);
  expect(html).toContain('Nobody is notified yet.');
  expect(html).toContain(next);
});
