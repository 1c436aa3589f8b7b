'use client';

import { RefreshCw } from 'lucide-react';
import { startTransition, useActionState } from 'react';
import { Banner } from '@/components/ui/banner';
import { CodeBlock } from '@/components/ui/code-block';
import { TextField } from '@/components/ui/field';
import { Form, SubmitButton } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import { Moment } from '@/components/ui/moment';
import { showToast } from '@/components/ui/toast';
import type { DomainStatus } from '@/lib/schemas/status-page';
import { DomainBadge } from './badges';

type DomainStateProps = {
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

type DnsRecord = NonNullable<DomainStatus['record']>;

type Props = {
  domain: string | null;
  plan: string;
  /** Whether the plan has custom domains. */
  isIncluded: boolean;
  /** Absent where the reader may change nothing. */
  save?: (state: FormState, form: FormData) => Promise<FormState>;
};

/** The domain of a page: set, changed or taken away. */
export function DomainEditor({ domain, plan, isIncluded, save }: Props) {
  return (
    <section aria-labelledby="domain-title" className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <h2 id="domain-title" className="text-base font-semibold">
          Custom domain
        </h2>
        <p className="text-muted">
          The page under a name of yours, such as status.example.com. Two DNS records show that the name is
          yours and lead visitors here.
        </p>
      </div>
      {isIncluded ? null : (
        <Banner tone="slow">
          The {plan} plan does not include custom domains.
          {domain === null ? '' : ' One that is verified stays; it can be removed.'}
        </Banner>
      )}
      {save ? (
        <DomainForm domain={domain} isDisabled={!isIncluded && domain === null} save={save} />
      ) : (
        <p className="font-medium">{domain ?? 'None'}</p>
      )}
    </section>
  );
}

type FormProps = { domain: string | null; isDisabled: boolean; save: NonNullable<Props['save']> };

function DomainForm({ domain, isDisabled, save }: FormProps) {
  const [state, action, isPending] = useActionState(
    async (previous: FormState, form: FormData) => {
      const next = await save(previous, form);
      if (next.message === null)
        showToast(next.values.customDomain ? 'Saved the domain' : 'Removed the domain');
      return next;
    },
    freshState({ customDomain: domain ?? '' }),
  );
  return (
    <Form action={action} state={state} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <TextField
          name="customDomain"
          label="Domain"
          placeholder="status.example.com"
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
          spellCheck={false}
          disabled={isDisabled}
          className="min-w-0 flex-1 basis-64 [&_input]:font-mono"
          hint={
            domain === null ? undefined : 'Empty it and save to remove the domain. Another one begins anew.'
          }
          defaultValue={state.values.customDomain}
          error={state.errors.customDomain}
        />
        {isDisabled ? null : (
          <SubmitButton tone="primary" size="large" isPending={isPending} className="sm:mt-6">
            Save domain
          </SubmitButton>
        )}
      </div>
    </Form>
  );
}

/** What became of a page's domain, and what is left to do for it. */
export function DomainState({ domain, status: known, now, check }: DomainStateProps) {
  const { status, record, pointTo, checkedAt, verifiedAt, error } = known;
  const [problem, run, isPending] = useActionState(async () => {
    const refusal = await check?.();
    if (refusal == null) showToast('Looked for the record');
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

/** The records to make at whoever holds the domain's DNS, to copy part by part. */
function DomainRecords({ record, pointTo }: Pick<DomainStatus, 'record' | 'pointTo'>) {
  return (
    <div className="flex flex-col gap-3">
      {record ? <RecordCard title="Shows that the domain is yours" record={record} /> : null}
      {pointTo ? (
        <RecordCard
          title="Leads visitors here"
          record={pointTo}
          note="Where the name itself cannot have a CNAME, an ALIAS or A record does as well."
        />
      ) : (
        <p className="rounded-md border border-line bg-surface px-4 py-3 text-muted">
          Let the domain lead to the server that this service runs on. The address is not known here: whoever
          operates it sets <code className="font-mono text-xs">APP_URL</code>.
        </p>
      )}
    </div>
  );
}

function RecordCard({ title, record, note }: { title: string; record: DnsRecord; note?: string }) {
  const { type, name, value } = record;
  return (
    <section className="flex flex-col gap-3 rounded-lg border border-line bg-surface px-4 py-3">
      <h3 className="flex items-baseline gap-2 font-medium">
        <span className="rounded bg-sunken px-1.5 font-mono text-xs leading-5">{type}</span>
        {title}
      </h3>
      <dl className="grid gap-2 sm:grid-cols-[5rem_minmax(0,1fr)] sm:items-center">
        <dt className="text-xs text-muted">Name</dt>
        <dd>
          <CodeBlock text={name} label={`Copy the name of the ${type} record`} />
        </dd>
        <dt className="text-xs text-muted">Value</dt>
        <dd>
          <CodeBlock text={value} label={`Copy the value of the ${type} record`} />
        </dd>
      </dl>
      {note ? <p className="text-xs text-muted">{note}</p> : null}
    </section>
  );
}
