import { CircleCheck, CircleDashed, CircleSlash } from 'lucide-react';
import { IconLabel, type IconLabelStyle } from '@/components/ui/icon-label';
import { RowLink } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';
import type { EmailRecipient } from '@/lib/schemas/email-recipient';
import { formatRule } from '../rules/rule-texts';

export const RECIPIENT_STYLES: Record<EmailRecipient['status'], IconLabelStyle> = {
  pending: { label: 'Not confirmed', Icon: CircleDashed, color: 'text-slow' },
  active: { label: 'Active', Icon: CircleCheck, color: 'text-good' },
  disabled: { label: 'Disabled', Icon: CircleSlash, color: 'text-muted' },
  unsubscribed: { label: 'Unsubscribed', Icon: CircleSlash, color: 'text-muted' },
};

type Props = {
  recipients: readonly EmailRecipient[];
  monitors: readonly { id: string; name: string }[];
  now: string;
};

/** Addresses without an account that get alerts, with their status and rules. */
export function RecipientList({ recipients, monitors, now }: Props) {
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {recipients.map((recipient) => (
        <li
          key={recipient.id}
          className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2.5 hover:bg-sunken has-[a:focus-visible]:bg-sunken"
        >
          <IconLabel {...RECIPIENT_STYLES[recipient.status]} className="w-32" />
          <div className="min-w-0 flex-1 basis-64">
            <RowLink href={`/notifications/email/${recipient.id}`} className="block truncate">
              {recipient.email}
            </RowLink>
            {recipient.description === '' ? null : (
              <p className="truncate text-sm text-muted">{recipient.description}</p>
            )}
          </div>
          <p className="min-w-0 basis-64 text-sm text-muted wrap-anywhere">
            <Detail recipient={recipient} names={names} now={now} />
          </p>
        </li>
      ))}
    </ul>
  );
}

type DetailProps = { recipient: EmailRecipient; names: ReadonlyMap<string, string>; now: string };

function Detail({ recipient: { status, rules, confirmationSentAt }, names, now }: DetailProps) {
  if (status === 'pending') {
    if (confirmationSentAt === null) return 'No confirmation was sent yet.';
    return (
      <>
        Confirmation sent <Moment at={confirmationSentAt} now={now} />
      </>
    );
  }
  if (rules.length === 0) return 'Alerts of all monitors';
  return rules.map((rule) => formatRule(rule, names, true)).join('; or ');
}
