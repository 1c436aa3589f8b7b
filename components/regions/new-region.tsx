'use client';

import { Plus } from 'lucide-react';
import { FormDialogButton } from '@/components/ui/dialogs/form-dialog-button';
import { RegionForm, type RegionFormState } from './region-form';

type Props = {
  places: readonly string[];
  create: (state: RegionFormState, form: FormData) => Promise<RegionFormState>;
};

/** The button that creates an own region. */
export function NewRegion({ places, create }: Props) {
  return (
    <FormDialogButton text="New region" title="New region" tone="primary" icon={<Plus />}>
      {({ close }) => (
        <RegionForm
          values={{ name: '', place: '' }}
          places={places}
          button="Create region"
          save={create}
          onSaved={close}
        />
      )}
    </FormDialogButton>
  );
}
