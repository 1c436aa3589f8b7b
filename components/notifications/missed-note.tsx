'use client';

import { useActionState } from 'react';
import { Banner } from '@/components/ui/banner';
import { SubmitButton } from '@/components/ui/form';
import { Moment } from '@/components/ui/moment';

/** How far back missed deliveries are sent again. */
export const SPANS = ['all', 'day', 'hour'] as const;

const SPAN_TEXTS: Record<(typeof SPANS)[number], string> = {
  all: 'all of them',
  day: 'those of the last 24 hours',
  hour: 'those of the last hour',
};

/** What sending again answered: how many begin their schedule anew, or what went wrong. */
export type Recovered = { queued: number | null; problem: string | null };

type Props = {
  missed: { count: number; isCapped: boolean; since: Date } | null;
  now: string;
  recover: (state: Recovered, form: FormData) => Promise<Recovered>;
};

/** Says what an endpoint has missed, and sends it again. */
export function MissedNote({ missed, now, recover }: Props) {
  const [{ queued, problem }, action, isPending] = useActionState(recover, { queued: null, problem: null });
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {missed ? (
        <Banner tone="slow" className="sm:items-center sm:[&>svg]:mt-0">
          <form action={action} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <p>
              {sayCount(missed)} <Moment at={missed.since.toISOString()} now={now} />.
            </p>
            <div className="flex flex-wrap items-center gap-2 text-ink">
              <label className="sr-only" htmlFor="span">
                Which of them to send
              </label>
              <select
                id="span"
                name="span"
                className="h-8 rounded-md border border-line-strong bg-surface px-2 text-base sm:text-sm"
              >
                {SPANS.map((span) => (
                  <option key={span} value={span}>
                    {SPAN_TEXTS[span]}
                  </option>
                ))}
              </select>
              <SubmitButton isPending={isPending}>Send them</SubmitButton>
            </div>
          </form>
        </Banner>
      ) : null}
      <div role="status" className="empty:sr-only">
        {queued === null ? null : <Banner tone="note">{sayQueued(queued)}</Banner>}
      </div>
      <div role="alert" className="empty:sr-only">
        {problem ? <Banner tone="bad">{problem}</Banner> : null}
      </div>
    </div>
  );
}

function sayCount({ count, isCapped }: { count: number; isCapped: boolean }): string {
  if (count === 1) return '1 delivery was missed';
  return `${count}${isCapped ? ' or more' : ''} deliveries were missed, the oldest`;
}

function sayQueued(queued: number): string {
  if (queued === 0) return 'None of them was made in that time; nothing was sent.';
  return queued === 1 ? '1 delivery is on its way again.' : `${queued} deliveries are on their way again.`;
}
