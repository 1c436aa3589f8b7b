'use client';

import { useActionState } from 'react';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { Moment } from '@/components/ui/time/moment';

/** A browser in which the person is signed in; moments in ISO 8601. */
type SessionLine = {
  id: string;
  browser: string;
  address: string | null;
  lastSeenAt: string;
  createdAt: string;
  isThis: boolean;
};

type Props = {
  sessions: SessionLine[];
  now: string;
  /** Both return an error message, or null on success. */
  endOne: (id: string) => Promise<string | null>;
  endOthers: () => Promise<string | null>;
};

/** The person's sessions, this browser first. */
export function SessionList({ sessions, now, endOne, endOthers }: Props) {
  const [problem, end, isPending] = useActionState(
    (_: string | null, id: string) => (id === '' ? endOthers() : endOne(id)),
    null,
  );
  return (
    <div className="flex flex-col gap-3">
      <ProblemAlert problem={problem} />
      <ul className="overflow-hidden rounded-lg border border-line bg-surface">
        {sessions.map(({ id, browser, address, lastSeenAt, createdAt, isThis }) => (
          <li key={id} className="flex items-center gap-3 border-b border-line px-3 py-2.5 last:border-0">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{browser}</p>
              <p className="text-xs text-muted wrap-anywhere">
                {isThis ? (
                  'This browser'
                ) : (
                  <>
                    Last seen <Moment at={lastSeenAt} now={now} />
                  </>
                )}
                {address ? ` · ${address}` : ''} · signed in <Moment at={createdAt} now={now} />
              </p>
            </div>
            {isThis ? null : (
              <form action={() => end(id)}>
                <SubmitButton isPending={isPending} aria-label={`End session in ${browser}`}>
                  End
                </SubmitButton>
              </form>
            )}
          </li>
        ))}
      </ul>
      {sessions.some(({ isThis }) => !isThis) ? (
        <form action={() => end('')}>
          <SubmitButton tone="danger" isPending={isPending}>
            End other sessions
          </SubmitButton>
        </form>
      ) : null}
    </div>
  );
}
