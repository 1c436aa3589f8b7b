'use client';

import { RuleEditor } from '@/components/notifications/rules/rule-editor';
import type { RuleChoices } from '@/components/notifications/rules/rule-texts';
import { CheckField, TextField } from '@/components/ui/forms/field';
import { FormButtons } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { MEMBER_KINDS } from '@/lib/schemas/webhooks/rules';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  isNew?: boolean;
  ruleChoices: RuleChoices;
  submit: string;
};

/** The form of a new or existing email recipient. Its address cannot be changed. */
export function RecipientForm({ save, initial, isNew = false, ruleChoices, submit }: Props) {
  const [state, action, isPending] = useSubmission(save, freshState(initial));
  const { values, errors } = state;
  return (
    <GuardedForm action={action} state={state} className="flex flex-col gap-5">
      {isNew ? (
        <TextField
          {...fieldOf(state, 'email')}
          label="Email address"
          type="email"
          required
          maxLength={254}
          placeholder="oncall@agency.example"
          hint="Its owner gets a link to confirm it. Nothing else is sent before that."
        />
      ) : null}
      <TextField
        {...fieldOf(state, 'description')}
        label="Description"
        maxLength={100}
        placeholder="On-call phone of the agency"
        hint="Shown in the list of recipients."
      />
      <RuleEditor
        name="rules"
        label="Rules"
        hint="Without rules, alerts of all monitors are sent. With rules, what matches one of them, and the recovery and reminders of outages that were sent."
        value={values.rules ?? ''}
        kinds={MEMBER_KINDS}
        choices={ruleChoices}
        errors={errors}
        isMember
      />
      <CheckField
        name="enabled"
        label="Send alerts"
        hint="When off, no alerts are sent to this address."
        defaultChecked={values.enabled === 'on'}
        error={errors.enabled}
      />
      <FormButtons cancelHref="/notifications/channels" isPending={isPending}>
        {submit}
      </FormButtons>
    </GuardedForm>
  );
}
