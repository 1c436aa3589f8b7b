'use client';

import { RefreshCw } from 'lucide-react';
import { startTransition, useActionState } from 'react';
import { PlanNote } from '@/components/organization/plan-note';
import { Banner } from '@/components/ui/banner';
import { CodeBlock } from '@/components/ui/code-block';
import { TextField } from '@/components/ui/forms/field';
import { Form } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { Section } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';
import { showToast } from '@/components/ui/toasts/toast';
import type { DomainStatus } from '@/lib/schemas/status-pages/status-page';
import { DomainBadge } from './badges';

const MEANINGS: Record<DomainStatus['status'], string> = {
  none: '',
  pending: 'The record is checked every 5 minutes for the first 3 days, then once a day.',
  verified: 'The page is served on this domain. Keep the record: it is checked once a day.',
  lost: 'The record was missing for 3 days, so the page is no longer served on this domain. Add the record again.',
  taken: 'Another page has already verified this domain. It becomes available when that page releases it.',
};

type DnsRecord = NonNullable<DomainStatus['record']>;

type Props = {
  domain: string | null;
  plan: string;
  /** Whether the plan includes custom domains. */
  isIncluded: boolean;
  /** Absent for viewers. */
  save?: (state: FormState, form: FormData) => Promise<FormState>;
};

/** Sets, changes, or removes the domain of a page. */
export function DomainEditor({ domain, plan, isIncluded, save }: Props) {
  return (
    <Section title="Custom domain">
      <p className="-mt-2 text-muted">
        Serve the page on your own domain, such as status.example.com. Two DNS records prove that you own it
        and route visitors here.
      </p>
      {isIncluded ? null : (
        <PlanNote>
          The {plan} plan does not include custom domains.
          {domain === null ? '' : ' A verified domain keeps working until you remove it.'}
        </PlanNote>
      )}
      {save ? (
        <DomainForm domain={domain} isDisabled={!isIncluded && domain === null} save={save} />
      ) : (
        <p className="font-medium">{domain ?? 'None'}</p>
      )}
    </Section>
  );
}

type FormProps = Required<Pick<Props, 'domain' | 'save'>> & { isDisabled: boolean };

function DomainForm({ domain, isDisabled, save }: FormProps) {
  const [state, action, isPending] = useSubmission(
    async (previous: FormState, form: FormData) => {
      const next = await save(previous, form);
      if (next.message === null) showToast(next.values.customDomain ? 'Domain saved' : 'Domain removed');
      return next;
    },
    freshState({ customDomain: domain ?? '' }),
  );
  return (
    <Form action={action} state={state} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <TextField
          {...fieldOf(state, 'customDomain')}
          label="Domain"
          placeholder="status.example.com"
          isCode
          autoComplete="off"
          disabled={isDisabled}
          className="flex-1 basis-64"
          hint={
            domain === null
              ? undefined
              : 'Clear this field and save to remove the domain. A new domain must be verified first.'
          }
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

type DomainStateProps = {
  domain: string;
  status: DomainStatus;
  now: string;
  /** Returns an error message, or null. Absent for viewers. */
  check?: () => Promise<string | null>;
};

/** The status of a page's domain and the DNS records to create. */
export function DomainState({ domain, status: details, now, check }: DomainStateProps) {
  const { status, record, pointTo, checkedAt, verifiedAt, error } = details;
  const [problem, run, isPending] = useActionState(async () => {
    const refusal = await check?.();
    if (refusal == null) showToast('Checked the DNS record');
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
              verified <Moment at={verifiedAt} now={now} />
              {', '}
            </>
          ) : null}
          {checkedAt ? (
            <>
              checked <Moment at={checkedAt} now={now} />
            </>
          ) : (
            'not checked yet'
          )}
        </span>
        {check ? (
          <form action={() => startTransition(run)} className="ml-auto">
            <SubmitButton isPending={isPending} icon={<RefreshCw />}>
              Check now
            </SubmitButton>
          </form>
        ) : null}
      </div>
      <ProblemAlert problem={problem} />
      {error ? <Banner tone={status === 'pending' ? 'slow' : 'bad'}>{error}</Banner> : null}
      <p className="text-muted">{MEANINGS[status]}</p>
      {record ? <RecordCard title="Proves that you own the domain" record={record} /> : null}
      {pointTo ? (
        <RecordCard
          title="Routes visitors here"
          record={pointTo}
          note="If this name can’t have a CNAME record, use an ALIAS or A record instead."
        />
      ) : (
        <p className="rounded-md border border-line bg-surface px-4 py-3 text-muted">
          Point the domain to the server that runs this service. To see the record here, ask your operator to
          set <code className="font-mono text-xs">APP_URL</code>.
        </p>
      )}
    </section>
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
          <CodeBlock text={name} label={`Copy ${type} record name`} />
        </dd>
        <dt className="text-xs text-muted">Value</dt>
        <dd>
          <CodeBlock text={value} label={`Copy ${type} record value`} />
        </dd>
      </dl>
      {note ? <p className="text-xs text-muted">{note}</p> : null}
    </section>
  );
}
