'use client';

import { useActionState } from 'react';
import type { ActionResult } from '@/components/ui/action-result';
import { Banner } from '@/components/ui/banner';
import { SubmitButton } from '@/components/ui/forms/form';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { Moment } from '@/components/ui/time/moment';

/** How far back missed deliveries are resent. */
const SPANS = { all: 'All', day: 'Last 24 hours', hour: 'Last hour' };

type Recovered = ActionResult<number | null>;

type Props = {
  missed: { count: number; isCapped: boolean; since: Date } | null;
  now: string;
  /** Returns how many deliveries were queued. */
  recover: (state: Recovered, form: FormData) => Promise<Recovered>;
};

/** Shows what an endpoint has missed, and resends it. */
export function MissedNote({ missed, now, recover }: Props) {
  const [{ value: queued, problem }, action, isPending] = useActionState(recover, {
    value: null,
    problem: null,
  });
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {missed ? (
        <Banner tone="slow" className="sm:items-center sm:[&>svg]:mt-0">
          <form action={action} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <p>
              {formatCount(missed)} <Moment at={missed.since.toISOString()} now={now} />.
            </p>
            <div className="flex flex-wrap items-center gap-2 text-ink">
              <label className="sr-only" htmlFor="span">
                Deliveries to resend
              </label>
              <select
                id="span"
                name="span"
                className="h-8 rounded-md border border-line-strong bg-surface px-2 text-base sm:text-sm"
              >
                {Object.entries(SPANS).map(([span, label]) => (
                  <option key={span} value={span}>
                    {label}
                  </option>
                ))}
              </select>
              <SubmitButton isPending={isPending}>Resend</SubmitButton>
            </div>
          </form>
        </Banner>
      ) : null}
      <div role="status" className="empty:sr-only">
        {queued === null ? null : <Banner tone="note">{formatQueued(queued)}</Banner>}
      </div>
      <ProblemAlert problem={problem} />
    </div>
  );
}

function formatCount({ count, isCapped }: { count: number; isCapped: boolean }): string {
  if (count === 1) return '1 delivery was missed';
  return `${count}${isCapped ? ' or more' : ''} deliveries were missed, the oldest`;
}

function formatQueued(queued: number): string {
  if (queued === 0) return 'No deliveries were missed in that period. Nothing was resent.';
  return queued === 1 ? 'Resending 1 delivery.' : `Resending ${queued} deliveries.`;
}
