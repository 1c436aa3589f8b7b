'use client';

import Form from 'next/form';
import { useActionState } from 'react';
import type { ActionResult } from '@/components/ui/action-result';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { Moment } from '@/components/ui/time/moment';
import { type Preview, RecoveryConfirmation, SPAN_LABELS } from './recovery-confirmation';

type Recovered = ActionResult<number | null>;

type Props = {
  /** Of the page, where the preview is shown too. */
  path: string;
  missed: { count: number; isCapped: boolean; since: Date } | null;
  preview: Preview | null;
  now: string;
  /** Returns how many deliveries were queued. */
  recover: (state: Recovered, form: FormData) => Promise<Recovered>;
};

/** Shows what an endpoint has missed, then what would be sent again, and resends it. */
export function MissedNote({ path, missed, preview, now, recover }: Props) {
  const [{ value: queued, problem }, action, isPending] = useActionState(recover, {
    value: null,
    problem: null,
  });
  const isDone = queued !== null && missed === null;
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {preview && !isDone ? (
        <RecoveryConfirmation
          path={path}
          preview={preview}
          now={now}
          confirm={action}
          isConfirming={isPending}
        />
      ) : missed ? (
        <Banner tone="slow" className="sm:items-center sm:[&>svg]:mt-0">
          <Form
            action={path}
            scroll={false}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2"
          >
            <p>
              {formatCount(missed)} <Moment at={missed.since.toISOString()} now={now} />.
            </p>
            <div className="flex flex-wrap items-center gap-2 text-ink">
              <label className="sr-only" htmlFor="recover">
                Deliveries to resend
              </label>
              <select
                id="recover"
                name="recover"
                className="h-8 rounded-md border border-line-strong bg-surface px-2 text-base sm:text-sm"
              >
                {Object.entries(SPAN_LABELS).map(([span, label]) => (
                  <option key={span} value={span}>
                    {label}
                  </option>
                ))}
              </select>
              <Button type="submit">Preview resending</Button>
            </div>
          </Form>
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
