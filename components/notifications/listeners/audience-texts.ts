import type { Receiving } from '@/lib/domain/listeners/read-audience';
import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import { isAllEvents } from '../delivery-texts';
import { formatRule } from '../rules/rule-texts';

/** What an event is about, in the plural. */
const NOUNS: Partial<Record<EventKind, string>> = {
  'monitor.down': 'outages',
  'monitor.up': 'recoveries',
  'monitor.degraded': 'degraded monitors',
  'incident.created': 'new incidents',
  'incident.updated': 'changes of incidents',
  'incident.acknowledged': 'acknowledgements',
  'incident.resolved': 'resolved incidents',
};

const SILENCES: Record<NonNullable<Receiving['silence']>, string> = {
  disabled: 'Nothing: it is disabled.',
  alerts_off: 'Nothing: alerts are turned off.',
  email_off: 'Nothing: this service cannot send email.',
  unconfirmed: 'Nothing: the address is not confirmed yet.',
  unsubscribed: 'Nothing: its owner has unsubscribed.',
};

const LIST = new Intl.ListFormat('en');

/** What a listener is notified of, as a sentence. */
export function formatReceiving(
  { type, events, rules, silence }: Pick<Receiving, 'type' | 'events' | 'rules' | 'silence'>,
  names: ReadonlyMap<string, string>,
): string {
  if (silence !== null) return SILENCES[silence];
  const nouns = LIST.format(events.map((event) => NOUNS[event] ?? event));
  const what = isAllEvents(events) ? 'Every event' : nouns.charAt(0).toUpperCase() + nouns.slice(1);
  if (rules.length === 0) return `${what}, of all monitors.`;
  const conditions = rules.map((rule) => formatRule(rule, names, type !== 'webhook')).join('; or ');
  return `${what}. Only: ${conditions}.`;
}
