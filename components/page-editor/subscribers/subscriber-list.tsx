'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyNote } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';
import { doUnlessUndone } from '@/components/ui/toasts/toast';
import type { Subscriber } from '@/lib/schemas/status-pages/subscriber';

type Props = {
  subscribers: readonly Subscriber[];
  now: string;
  isFiltered: boolean;
  /** Returns an error message, or null. Absent for viewers. */
  remove?: (id: string) => Promise<string | null>;
};

/** Subscribers of a page. A removed row disappears right away; the removal can be undone for a moment. */
export function SubscriberList({ subscribers, now, isFiltered, remove }: Props) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const shown = subscribers.filter(({ id }) => !hidden.includes(id));
  if (shown.length === 0) {
    return (
      <EmptyNote>
        {isFiltered
          ? 'No matching subscribers.'
          : 'No subscribers yet. Visitors can subscribe at the top of the page.'}
      </EmptyNote>
    );
  }
  const removeUnlessUndone = ({ id, email }: Subscriber) => {
    setHidden((before) => [...before, id]);
    doUnlessUndone({
      message: `Removed ${email}`,
      act: async () => (await remove?.(id)) ?? null,
      restore: () => setHidden((before) => before.filter((one) => one !== id)),
    });
  };
  return (
    <ul className="overflow-hidden rounded-lg border border-line bg-surface">
      {shown.map((subscriber) => (
        <SubscriberRow
          key={subscriber.id}
          subscriber={subscriber}
          now={now}
          remove={remove && (() => removeUnlessUndone(subscriber))}
        />
      ))}
    </ul>
  );
}

const CHANNELS = { email: 'Email', webhook: 'Webhook', slack: 'Slack' };

type RowProps = { subscriber: Subscriber; now: string; remove: (() => void) | undefined };

function SubscriberRow({ subscriber, now, remove }: RowProps) {
  const { channel, email, host, language, rows, confirmedAt, stoppedAt, createdAt } = subscriber;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-0">
      <span className="min-w-0 flex-1 basis-40 truncate font-medium" title={email}>
        {email}
      </span>
      <span className="w-36 min-w-0 truncate text-muted" title={host ?? undefined}>
        {CHANNELS[channel]}
        {host === null || channel === 'slack' ? null : ` · ${host}`}
      </span>
      <span className="w-24 text-muted tabular-nums" title="Notified about">
        {formatRows(rows.length)}
      </span>
      <span className="w-8 font-mono text-xs text-muted uppercase" title="Language">
        {language}
      </span>
      <span className="w-48 text-muted tabular-nums">
        {stoppedAt ? 'Stopped' : confirmedAt ? 'Confirmed' : 'Requested'}{' '}
        <Moment at={stoppedAt ?? confirmedAt ?? createdAt} now={now} />
      </span>
      {remove ? (
        <Button tone="danger" className="max-sm:ml-auto" aria-label={`Remove ${email}`} onClick={remove}>
          Remove
        </Button>
      ) : null}
    </li>
  );
}

/** What a subscriber is notified about: `Everything`, `1 system`, `3 systems`. */
function formatRows(count: number): string {
  if (count === 0) return 'Everything';
  return count === 1 ? '1 system' : `${count} systems`;
}
