import { CircleCheck, CircleX, LoaderCircle, type LucideIcon, Mail, Webhook } from 'lucide-react';
import { EmptyNote } from '@/components/ui/section';
import { TextLink } from '@/components/ui/text-link';
import { LocalTime } from '@/components/ui/time/moment';
import type { Notified } from '@/lib/domain/incidents/read-notified';
import type { Cause } from '@/lib/schemas/webhooks/events';

const OUTCOMES = {
  delivered: { Icon: CircleCheck, color: 'text-good', label: 'delivered' },
  pending: { Icon: LoaderCircle, color: 'text-slow', label: 'pending' },
  failed: { Icon: CircleX, color: 'text-bad', label: 'failed' },
} as const;

/** The endpoints and members that were notified of an incident, and whether it reached them. */
export function NotifiedList({ notified, now }: { notified: Notified | null; now: Date }) {
  if (notified === null) {
    return (
      <EmptyNote>
        This outage has no open incident: it was resolved or deleted.{' '}
        <TextLink href="/notifications/deliveries">View deliveries</TextLink> to see what was sent to
        channels.
      </EmptyNote>
    );
  }
  const { endpoints, members, suppressedBy } = notified;
  const suppressed = suppressedBy === null ? null : <SuppressedNote cause={suppressedBy} />;
  if (endpoints.length + members.length === 0) {
    return suppressed ?? <EmptyNote>Nobody has been notified: no channel or member received this.</EmptyNote>;
  }
  return (
    <>
      {suppressed}
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
        {endpoints.map(({ id, description, host, event, status, attempts, settledAt }) => (
          <NotifiedItem
            key={id}
            Kind={Webhook}
            name={description ?? host ?? 'Deleted channel'}
            detail={event}
            outcome={status}
            note={
              status === 'delivered' ? '' : ` after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
            }
            at={settledAt}
            now={now}
          />
        ))}
        {members.map(({ recipient, sentAt, error }) => (
          <NotifiedItem
            key={recipient}
            Kind={Mail}
            name={recipient}
            detail={error}
            outcome={sentAt !== null ? 'delivered' : error === null ? 'pending' : 'failed'}
            note=""
            at={sentAt}
            now={now}
          />
        ))}
      </ul>
    </>
  );
}

function SuppressedNote({ cause: { id, name } }: { cause: Cause }) {
  return (
    <p className="text-sm text-muted">
      No emails or chat messages were sent: this monitor depends on{' '}
      <TextLink href={`/monitors/${id}`}>{name}</TextLink>, which was down.
    </p>
  );
}

type ItemProps = {
  Kind: LucideIcon;
  name: string;
  detail: string | null;
  outcome: keyof typeof OUTCOMES;
  note: string;
  at: Date | null;
  now: Date;
};

function NotifiedItem({ Kind, name, detail, outcome, note, at, now }: ItemProps) {
  const { Icon, color, label } = OUTCOMES[outcome];
  return (
    <li className="flex items-center justify-between gap-3 px-3 py-1.5 text-sm">
      <span className="flex min-w-0 gap-2">
        <Kind className="size-4 shrink-0 self-center text-muted" />
        <span className="min-w-0 wrap-anywhere">
          {name}
          {detail ? <span className="text-muted"> {detail}</span> : null}
        </span>
      </span>
      <span className="flex shrink-0 gap-1 text-muted tabular-nums">
        <Icon className={`size-4 shrink-0 self-center ${color}`} />
        <span>
          {label}
          {note}
          {at ? (
            <>
              {' '}
              <LocalTime at={at.toISOString()} now={now.toISOString()} isExact />
            </>
          ) : null}
        </span>
      </span>
    </li>
  );
}
