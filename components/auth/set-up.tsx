'use client';

import { curlCreateMonitor } from '@/components/monitors/curl-commands';
import { CodeBlock } from '@/components/ui/code-block';
import { ActionForm } from '@/components/ui/forms/action-form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { ShownOnce } from '@/components/ui/shown-once';
import { EmailField, OrganizationField, PasswordField } from './account-fields';

/** The API key created with an account; it is shown only once. */
type CreatedKey = { apiKey: string; baseUrl: string };

export type SetUpState = FormState & { created?: CreatedKey };

type Props = {
  setUp: (state: SetUpState, form: FormData) => Promise<SetUpState>;
  token: string;
  /** False once there is an organization. */
  isOpen: boolean;
};

/** The setup form, replaced by the API key once setup is complete. */
export function SetUp({ setUp, token, isOpen }: Props) {
  const submission = useSubmission<SetUpState>(setUp, freshState({ token }));
  const [state] = submission;
  const { values, created } = state;
  if (created) return <NewKey {...created} />;
  if (!isOpen) return <MonitorsLink />;
  return (
    <ActionForm submission={submission} button="Set up">
      <input type="hidden" name="token" value={values.token} />
      <OrganizationField state={state} />
      <EmailField state={state} />
      <PasswordField state={state} />
    </ActionForm>
  );
}

export function MonitorsLink() {
  return (
    <ButtonLink tone="primary" size="large" href="/monitors">
      Go to monitors
    </ButtonLink>
  );
}

/** The first API key, with an example of how to use it. */
export function NewKey({ apiKey, baseUrl }: CreatedKey) {
  return (
    <div className="flex flex-col gap-5">
      <ShownOnce title="Your API key" level="h2" text={apiKey} copyLabel="Copy the API key">
        <p className="text-muted">Create your first monitor with one request:</p>
        <CodeBlock text={curlCreateMonitor(baseUrl, apiKey)} label="Copy the command" />
      </ShownOnce>
      <MonitorsLink />
    </div>
  );
}
