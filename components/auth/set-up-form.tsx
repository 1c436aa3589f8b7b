import { SelectField, TextField } from '@/components/ui/field';
import { Form } from '@/components/ui/form';
import type { FormState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';

/** What set-up made; the key is shown once and never again. */
export type Made = { apiKey: string; baseUrl: string };
export type SetUpState = FormState & { made: Made | null };

const PLANS = [
  { value: 'free', label: 'Free: 50 monitors, 2 regions' },
  { value: 'pro', label: 'Pro: 1,000 monitors, all regions' },
  { value: 'enterprise', label: 'Enterprise: no limits' },
];

type Props = { state: SetUpState; action: (form: FormData) => void; isPending: boolean };

export function SetUpForm({ state, action, isPending }: Props) {
  const { values, errors, attempt } = state;
  return (
    <Form action={action} state={state} className="flex flex-col gap-4">
      <input type="hidden" name="token" value={values.token} />
      <TextField
        name="name"
        label="Organization"
        autoComplete="organization"
        required
        defaultValue={values.name}
        error={errors.name}
      />
      <SelectField
        key={values.plan}
        name="plan"
        label="Plan"
        options={PLANS}
        defaultValue={values.plan}
        error={errors.plan}
        hint="Limits for this organization; the command line can change it later."
      />
      <TextField
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        defaultValue={values.email}
        error={errors.email}
      />
      <TextField
        key={attempt}
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        error={errors.password}
        hint="At least 8 characters."
      />
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        Set up
      </SubmitButton>
    </Form>
  );
}
