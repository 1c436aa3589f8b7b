import { CircleCheck, CircleSlash } from 'lucide-react';
import { IconLabel, type IconLabelStyle } from '@/components/ui/icon-label';
import { TextLink } from '@/components/ui/text-link';
import type { Listener } from '@/lib/schemas/webhooks/listeners';
import type { Rule } from '@/lib/schemas/webhooks/rules';
import { formatRule } from '../rules/rule-texts';

/** A listener with its rules. */
export type ShownListener = Listener & { rules: Rule[] };

const YES: IconLabelStyle = { label: 'Notified', Icon: CircleCheck, color: 'text-good' };
const NO: IconLabelStyle = { label: 'Not notified', Icon: CircleSlash, color: 'text-muted' };

const REASONS: Record<Exclude<Listener['reason'], 'rule'>, string> = {
  everything: 'No rules: everything is sent',
  not_subscribed: 'Not subscribed to this event',
  no_rule_matches: 'No rule matches',
  disabled: 'It is disabled',
  unconfirmed: 'The address is not confirmed yet',
  unsubscribed: 'Its owner has unsubscribed',
  alerts_off: 'Alerts are turned off',
  email_off: 'This service cannot send email',
  not_emailed: 'People are not emailed about this event',
  held: 'Held while a monitor that this one depends on is down',
  flapping: 'Held while this monitor is flapping',
  maintenance: 'This monitor is in maintenance',
  paused: 'This monitor is paused',
};

type Props = { listeners: readonly ShownListener[]; names: ReadonlyMap<string, string> };

/** Each endpoint, member and email recipient: whether it is notified, and why. */
export function ListenerList({ listeners, names }: Props) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {listeners.map((listener) => (
        <li key={listener.id} className="flex flex-wrap items-start gap-x-4 gap-y-0.5 px-3 py-2.5">
          <IconLabel {...(listener.notified ? YES : NO)} className="w-28" />
          <div className="min-w-0 flex-1 basis-64">
            <TextLink isAlone href={listenerHref(listener)}>
              {listener.name}
            </TextLink>
            <p className="text-sm text-muted wrap-anywhere">{formatReason(listener, names)}</p>
          </div>
          <span className="text-sm text-muted max-sm:hidden">
            {listener.type === 'webhook' ? 'Channel' : 'Email'}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Where a listener is set up. */
export function listenerHref({ type, id }: Pick<Listener, 'type' | 'id'>): string {
  if (type === 'webhook') return `/notifications/${id}`;
  return type === 'email' ? `/notifications/email/${id}` : '/settings/members';
}

function formatReason(
  { type, reason, rule, rules }: ShownListener,
  names: ReadonlyMap<string, string>,
): string {
  if (reason !== 'rule') return REASONS[reason];
  const matched = rule === null ? undefined : rules[rule];
  return `Rule ${(rule ?? 0) + 1}: ${matched ? formatRule(matched, names, type !== 'webhook') : ''}`;
}
