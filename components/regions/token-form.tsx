'use client';

import { useEffect } from 'react';
import { ActionForm } from '@/components/ui/forms/action-form';
import { TextField } from '@/components/ui/forms/field';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { NewProbeToken, type ShownToken } from './shown-token';

export type TokenFormState = FormState & { created?: ShownToken };

type Props = {
  create: (state: TokenFormState, form: FormData) => Promise<TokenFormState>;
  /** Called when the token is shown. */
  onCreated: () => void;
};

/** Creates a token, and shows it in place of the form. */
export function TokenForm({ create, onCreated }: Props) {
  const submission = useSubmission<TokenFormState>(create, freshState({ name: '' }));
  const [state] = submission;
  const { created } = state;
  useEffect(() => {
    if (created) onCreated();
  }, [created, onCreated]);
  if (created) return <NewProbeToken {...created} />;
  return (
    <ActionForm submission={submission} button="Create token">
      <TextField
        {...fieldOf(state, 'name')}
        label="Name"
        hint="Where the probe runs."
        autoComplete="off"
        required
        maxLength={100}
        placeholder="Hamburg office, rack 2"
      />
    </ActionForm>
  );
}
