'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Moment } from '@/components/ui/moment';
import { doUnlessUndone } from '@/components/ui/toast';
import type { Subscriber } from '@/lib/schemas/subscriber';

type Props = {
  subscribers: readonly Subscriber[];
  now: string;
  isNarrowed: boolean;
  /** Answers what went wrong, or null; absent where the reader may change nothing. */
  remove?: (id: string) => Promise<string | null>;
};

/** Who gets mails of a page, one a row. Who is removed is gone at once, and back as long as it is undone. */
export function SubscriberList({ subscribers, now, isNarrowed, remove }: Props) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const shown = subscribers.filter(({ id }) => !hidden.includes(id));
  if (shown.length === 0) {
    return (
      <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">
        {isNarrowed
          ? 'There is nobody of this kind.'
          : 'Nobody has subscribed yet. Visitors do it at the foot of the page.'}
      </p>
    );
  }
  const hide = (id: string) => setHidden((before) => [...before, id]);
  const restore = (id: string) => setHidden((before) => before.filter((one) => one !== id));
  return (
    <ul className="overflow-hidden rounded-lg border border-line bg-surface">
      {shown.map((subscriber) => (
        <SubscriberRow
          key={subscriber.id}
          subscriber={subscriber}
          now={now}
          remove={
            remove &&
            (() => {
              const { id, email } = subscriber;
              hide(id);
              doUnlessUndone({
                message: `Removed ${email}`,
                act: () => remove(id),
                restore: () => restore(id),
              });
            })
          }
        />
      ))}
    </ul>
  );
}

type RowProps = { subscriber: Subscriber; now: string; remove: (() => void) | undefined };

function SubscriberRow({ subscriber, now, remove }: RowProps) {
  const { email, language, confirmedAt, createdAt } = subscriber;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-0">
      <span className="min-w-0 flex-1 basis-56 truncate font-medium" title={email}>
        {email}
      </span>
      <span className="w-8 font-mono text-xs text-muted uppercase" title="Language">
        {language}
      </span>
      <span className="w-48 text-muted tabular-nums">
        {confirmedAt ? (
          <>
            Confirmed <Moment at={confirmedAt} now={now} />
          </>
        ) : (
          <>
            Asked <Moment at={createdAt} now={now} />
          </>
        )}
      </span>
      {remove ? (
        <Button tone="danger" className="max-sm:ml-auto" aria-label={`Remove ${email}`} onClick={remove}>
          Remove
        </Button>
      ) : null}
    </li>
  );
}
