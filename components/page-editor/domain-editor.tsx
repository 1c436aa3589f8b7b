'use client';

import { useActionState } from 'react';
import { Banner } from '@/components/ui/banner';
import { TextField } from '@/components/ui/field';
import { Form } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';
import { say } from '@/components/ui/toast';

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
      if (next.message === null) say(next.values.customDomain ? 'Saved the domain' : 'Removed the domain');
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
