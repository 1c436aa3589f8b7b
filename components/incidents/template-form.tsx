'use client';

import { TranslationFields } from '@/components/translations/translation-fields';
import { SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { FormButtons } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { AffectedFields, useAffected } from './affected-fields';
import { SEVERITY_OPTIONS, STATUS_OPTIONS } from './incident-texts';
import type { AudiencePage } from './shown-on';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  monitors: readonly { id: string; name: string }[];
  pages: readonly AudiencePage[];
  submitLabel: string;
};

/** The form of an incident template. */
export function TemplateForm({ save, initial, monitors, pages, submitLabel }: Props) {
  const [state, action, isPending] = useSubmission(save, freshState(initial));
  const [affected, setAffected] = useAffected(state.values);
  return (
    <GuardedForm action={action} state={state} className="flex flex-col gap-5">
      <TextField
        {...fieldOf(state, 'name')}
        label="Name"
        required
        hint="Only your team sees this name."
        placeholder="Payment provider is down"
      />
      <TextField
        {...fieldOf(state, 'title')}
        label="Title"
        hint="The title of the incident. Leave empty to type it when you open one."
        placeholder="Checkout fails for some customers"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField {...fieldOf(state, 'severity')} label="Severity" options={SEVERITY_OPTIONS} />
        <SelectField {...fieldOf(state, 'status')} label="Status" options={STATUS_OPTIONS} />
      </div>
      <TextArea
        {...fieldOf(state, 'message')}
        label="Message"
        hint="Used as the first message of an incident, or as an update."
        placeholder="What people are noticing, and what you're doing about it."
        className="[&_textarea]:font-sans"
        rows={4}
      />
      <TranslationFields
        texts={[
          { name: 'title', label: 'Title' },
          { name: 'message', label: 'Message', isLong: true },
        ]}
        values={state.values}
        error={state.errors.translations}
      />
      <AffectedFields
        monitors={monitors}
        pages={pages}
        affected={affected}
        onChange={setAffected}
        errors={state.errors}
      />
      <FormButtons cancelHref="/incidents/templates" isPending={isPending}>
        {submitLabel}
      </FormButtons>
    </GuardedForm>
  );
}
