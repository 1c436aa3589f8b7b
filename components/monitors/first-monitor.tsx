'use client';

import { Plus } from 'lucide-react';
import { Form, SubmitButton } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { TestNow } from './form/test-now';

type Props = {
  create: (state: FormState, form: FormData) => Promise<FormState>;
  /** Form values of the suggested monitor. */
  suggested: FormState['values'];
};

/** A prefilled first monitor: one click tests it, another creates it. */
export function FirstMonitor({ create, suggested }: Props) {
  const [state, action, isPending] = useSubmission(create, freshState(suggested));
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      {Object.entries(suggested)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      <p className="flex flex-col gap-0.5">
        <span className="font-medium">{suggested.name}</span>
        <span className="font-mono text-xs break-all text-muted">{suggested.url}</span>
      </p>
      <TestNow typed={suggested} source={null} size="large" />
      <div className="flex flex-wrap gap-2">
        <SubmitButton tone="primary" size="large" isPending={isPending} icon={<Plus />}>
          Monitor Pharos itself
        </SubmitButton>
        <ButtonLink size="large" href="/monitors/new">
          Monitor a URL
        </ButtonLink>
        <ButtonLink size="large" href="/monitors/import">
          Import monitors
        </ButtonLink>
      </div>
    </Form>
  );
}
