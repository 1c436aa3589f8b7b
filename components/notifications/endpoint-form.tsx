'use client';

import { useState } from 'react';
import { Fold } from '@/components/ui/fold';
import { CheckCards, CheckField, SelectField, TextField } from '@/components/ui/forms/field';
import { FormButtons } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { EVENT_KINDS } from '@/lib/schemas/webhooks/event-kinds';
import type { Mark } from '@/lib/webhook-formats/format';
import { type CredentialChoice, CredentialFields } from './credential-fields';
import { EVENT_TEXTS } from './delivery-texts';
import { RuleEditor } from './rules/rule-editor';
import type { RuleChoices } from './rules/rule-texts';
import { NewSecret } from './secret-section';
import { TemplateFields } from './template-fields';
import type { PreviewTemplate } from './template-preview';
import { UnsavedTestSend } from './unsaved-test';

const EVENTS = Object.entries(EVENT_TEXTS).map(([value, hint]) => ({ value, hint }));

/** A created endpoint. The secret is shown only once. */
type CreatedEndpoint = { id: string; secret: string };
export type EndpointFormState = FormState & { created?: CreatedEndpoint };

/** A format that can be chosen, and what the form asks with it. */
export type FormatChoice = {
  value: string;
  label: string;
  hint: string;
  mark: Mark;
  /** Where to find what the form asks for. */
  steps: readonly string[];
  /** `isUsual`: people enter one, as the product has no address of its own. */
  url: { isRequired: boolean; isUsual: boolean; placeholder: string; hint: string };
  credentials: CredentialChoice[];
  hasTemplate: boolean;
  /** Whether receivers verify signatures, so that the secret is shown. */
  verifiesSignatures: boolean;
  hasAcknowledgeLinks: boolean;
};

type Props = {
  save: (state: EndpointFormState, form: FormData) => Promise<EndpointFormState>;
  initial: FormState['values'];
  formats: readonly FormatChoice[];
  isNew?: boolean;
  /** Sends a test with what is typed. */
  testPath: string;
  preview: PreviewTemplate;
  ruleChoices: RuleChoices;
  submit: string;
  cancelHref: string;
};

/** The form of a new channel of one format, or of an existing one. A new one replaces it with its secret. */
export function EndpointForm(props: Props) {
  const { save, initial, formats, isNew = false, testPath, preview, submit, cancelHref } = props;
  const [state, action, isPending] = useSubmission<EndpointFormState>(save, freshState(initial));
  const [chosen, setChosen] = useState(state.values.format);
  const format = formats.find(({ value }) => value === chosen);
  if (state.created) return <NewEndpoint {...state.created} />;
  const credentials = format?.credentials.map(({ name }) => `credentials.${name}`) ?? [];
  return (
    <GuardedForm
      action={action}
      state={state}
      together={[['format', 'url', ...credentials]]}
      className="flex flex-col gap-5"
    >
      {isNew ? (
        <>
          <input type="hidden" name="format" value={format?.value} />
          {format ? <Steps steps={format.steps} /> : null}
        </>
      ) : (
        <SelectField
          {...fieldOf(state, 'format')}
          label="Format"
          options={formats}
          onChange={(event) => setChosen(event.target.value)}
          hint={format?.hint}
        />
      )}
      {format ? <FormatFields state={state} format={format} preview={preview} /> : null}
      {format ? (
        <UnsavedTestSend
          path={testPath}
          name={format.label}
          isProgram={format.verifiesSignatures}
          labels={labelsOf(format)}
        />
      ) : null}
      <TextField
        {...fieldOf(state, 'description')}
        label="Description"
        placeholder="On-call bot"
        hint="Shown in the list of channels."
      />
      <Fold title="Events and rules" hint="What it is notified of" isOpen={!isNew}>
        <WhatIsSent {...props} state={state} format={format} />
      </Fold>
      <FormButtons cancelHref={cancelHref} isPending={isPending}>
        {submit}
      </FormButtons>
    </GuardedForm>
  );
}

/** Where to find what the form asks for. */
function Steps({ steps }: Pick<FormatChoice, 'steps'>) {
  return (
    <ol
      aria-label="How to set it up"
      className="flex list-decimal flex-col gap-1.5 rounded-lg border border-line bg-sunken py-3 pr-4 pl-9 text-sm wrap-anywhere marker:font-medium marker:text-muted"
    >
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

/** What the fields of a format are called, by name. */
function labelsOf({ credentials }: FormatChoice): Record<string, string> {
  const named = credentials.map(({ name, label }) => [`credentials.${name}`, label]);
  return {
    url: 'URL',
    template: 'Template',
    headers: 'Headers',
    rules: 'Rules',
    ...Object.fromEntries(named),
  };
}

type WhatIsSentProps = Pick<Props, 'ruleChoices'> & {
  state: EndpointFormState;
  format: FormatChoice | undefined;
};

/** The events, the rules, and whether anything is sent. */
function WhatIsSent({ state, format, ruleChoices }: WhatIsSentProps) {
  const { values, errors } = state;
  const { events = '' } = values;
  return (
    <>
      <CheckCards
        key={events}
        name="events"
        label="Events"
        options={EVENTS}
        chosen={events.split(',')}
        error={errors.events}
        className="sm:grid-cols-2"
      />
      <RuleEditor
        name="rules"
        label="Rules"
        hint="Without rules, these events are sent for all monitors. With rules, only events that match one are sent, and what follows in the same incident."
        value={values.rules ?? ''}
        kinds={EVENT_KINDS}
        choices={ruleChoices}
        errors={errors}
      />
      {format?.hasAcknowledgeLinks ? (
        <CheckField
          name="acknowledgeLinks"
          label="Acknowledge link"
          hint="Messages about an open incident have a link that acknowledges it, for anyone who can read them. Turn off for public channels."
          defaultChecked={values.acknowledgeLinks === 'on'}
          error={errors.acknowledgeLinks}
        />
      ) : null}
      <CheckField
        name="enabled"
        label="Send events"
        hint="When off, queued deliveries fail and new events are not sent."
        defaultChecked={values.enabled === 'on'}
        error={errors.enabled}
      />
    </>
  );
}

type FormatFieldsProps = Pick<Props, 'preview'> & { state: EndpointFormState; format: FormatChoice };

/** What a format needs: its URL, or its credentials first where it has an address of its own. */
function FormatFields({ state, format, preview }: FormatFieldsProps) {
  const url = (
    <TextField
      {...fieldOf(state, 'url')}
      label="URL"
      type="url"
      required={format.url.isRequired}
      isCode
      placeholder={format.url.placeholder}
      hint={format.url.hint}
    />
  );
  return (
    <>
      {format.url.isUsual ? url : null}
      <CredentialFields state={state} format={format.value} credentials={format.credentials} />
      {format.url.isUsual ? null : url}
      {format.hasTemplate ? <TemplateFields state={state} preview={preview} /> : null}
    </>
  );
}

function NewEndpoint({ id, secret }: CreatedEndpoint) {
  return (
    <div className="flex flex-col gap-5">
      <NewSecret secret={secret} />
      <ButtonLink tone="primary" size="large" href={`/notifications/${id}`} className="self-start">
        Go to the channel
      </ButtonLink>
    </div>
  );
}
