'use client';

import { RefreshCw } from 'lucide-react';
import { startTransition, useActionState } from 'react';
import { Banner } from '@/components/ui/banner';
import { Moment } from '@/components/ui/moment';
import { SubmitButton } from '@/components/ui/submit-button';
import { say } from '@/components/ui/toast';
import type { DomainStatus } from '@/lib/schemas/status-page';
import { DomainBadge } from './badges';
import { DomainRecords } from './domain-records';

type Props = {
  domain: string;
  status: DomainStatus;
  now: string;
  /** Answers what went wrong, or null; absent where the reader may change nothing. */
  check?: () => Promise<string | null>;
};

const MEANS: Record<DomainStatus['status'], string> = {
  none: '',
  pending: 'The record is looked for every 5 minutes during the first 3 days, then once a day.',
  verified: 'The page is served there. The record is looked for again once a day and has to stay.',
  lost: 'The record was missing for 3 days, so the page is not served there any more. Put it back.',
  taken: 'Another page has proved this domain before. It comes free when that page lets it go.',
};

/** What became of a page's domain, and what is left to do for it. */
export function DomainState({ domain, status: known, now, check }: Props) {
  const { status, record, pointTo, checkedAt, verifiedAt, error } = known;
  const [problem, run, isPending] = useActionState(async () => {
    const refusal = await check?.();
    if (refusal == null) say('Looked for the record');
    return refusal ?? null;
  }, null);
  return (
    <section aria-labelledby="state-title" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="state-title" className="text-base font-semibold break-all">
          {domain}
        </h2>
        <span aria-live="polite">
          <DomainBadge status={status} />
        </span>
        <span className="text-xs text-muted">
          {verifiedAt ? (
            <>
              since <Moment at={verifiedAt} now={now} />
              {', '}
            </>
          ) : null}
          {checkedAt ? (
            <>
              looked for <Moment at={checkedAt} now={now} />
            </>
          ) : (
            'not looked for yet'
          )}
        </span>
        {check ? (
          <form action={() => startTransition(run)} className="ml-auto">
            <SubmitButton isPending={isPending}>
              {isPending ? null : <RefreshCw aria-hidden="true" />}
              Check now
            </SubmitButton>
          </form>
        ) : null}
      </div>
      <div role="alert" className="empty:hidden">
        {problem ? <Banner tone="bad">{problem}</Banner> : null}
      </div>
      {error ? <Banner tone={status === 'pending' ? 'slow' : 'bad'}>{error}</Banner> : null}
      <p className="text-muted">{MEANS[status]}</p>
      <DomainRecords record={record} pointTo={pointTo} />
    </section>
  );
}
