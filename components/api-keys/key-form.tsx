'use client';

import { ActionForm } from '@/components/ui/forms/action-form';
import { SelectField, TextField } from '@/components/ui/forms/field';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { NewApiKey, type ShownKey } from './shown-key';

export type KeyFormState = FormState & { created?: ShownKey };

const SCOPES = [
  { value: 'write', label: 'Read and write' },
  { value: 'read', label: 'Read only' },
];

/** The lifetime of a key in days; empty for no expiry. */
const LIFETIMES = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

type Props = { create: (state: KeyFormState, form: FormData) => Promise<KeyFormState> };

/** Creates a key and shows it. */
export function KeyForm({ create }: Props) {
  const submission = useSubmission<KeyFormState>(create, freshState({ name: '', scope: 'write', days: '' }));
  const [state] = submission;
  const { values, errors, created } = state;
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4">
      <ActionForm submission={submission} button="Create key" isInline>
        <TextField
          key={created?.apiKey}
          {...fieldOf(state, 'name')}
          label="Name"
          autoComplete="off"
          required
          placeholder="CI deployments"
          className="flex-1 basis-60"
        />
        <SelectField {...fieldOf(state, 'scope')} label="Scope" options={SCOPES} className="basis-40" />
        <SelectField
          name="days"
          label="Expires"
          options={LIFETIMES}
          defaultValue={values.days}
          error={errors.expiresAt}
          className="basis-36"
        />
      </ActionForm>
      {created ? <NewApiKey key={created.apiKey} {...created} /> : null}
    </div>
  );
}
