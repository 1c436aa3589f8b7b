'use client';

import { useEffect, useId } from 'react';
import { ActionForm } from '@/components/ui/forms/action-form';
import { TextField } from '@/components/ui/forms/field';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';

export type RegionFormState = FormState & { isSaved?: true };

type Props = {
  values: { name: string; place: string };
  /** The cities to choose from, as they are shown. */
  places: readonly string[];
  button: string;
  save: (state: RegionFormState, form: FormData) => Promise<RegionFormState>;
  onSaved: () => void;
};

/** The name and the place of an own region; typing finds the place. */
export function RegionForm({ values, places, button, save, onSaved }: Props) {
  const list = useId();
  const submission = useSubmission<RegionFormState>(save, freshState(values));
  const [state] = submission;
  useEffect(() => {
    if (state.isSaved) onSaved();
  }, [state, onSaved]);
  return (
    <ActionForm submission={submission} button={button}>
      <TextField
        {...fieldOf(state, 'name')}
        label="Name"
        autoComplete="off"
        required
        maxLength={60}
        placeholder="Hamburg office"
      />
      <TextField
        {...fieldOf(state, 'place')}
        label="City"
        hint="Type to search. Choose the nearest one."
        list={list}
        autoComplete="off"
        required
        placeholder="Hamburg, Germany"
      />
      <datalist id={list}>
        {places.map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
    </ActionForm>
  );
}
