'use client';

import { useActionState, useRef, useState } from 'react';
import { CheckCards, CheckField, SelectField, TextField } from '@/components/ui/forms/field';
import { FormButtons } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { areCredentialsOptional, defaultUrl } from '@/lib/schemas/webhooks/credentials';
import { EVENT_KINDS } from '@/lib/schemas/webhooks/event-kinds';
import { isReadByPeople } from '@/lib/schemas/webhooks/reader-names';
import { CredentialFields } from './credential-fields';
import { EVENT_TEXTS, FORMAT_TEXTS } from './delivery-texts';
import { RuleEditor } from './rules/rule-editor';
import type { RuleChoices } from './rules/rule-texts';
import { NewSecret } from './secret-section';
import { TemplateFields } from './template-fields';
import type { PreviewTemplate } from './template-preview';

const FORMATS = Object.entries(FORMAT_TEXTS).map(([value, texts]) => ({ value, ...texts }));
const EVENTS = Object.entries(EVENT_TEXTS).map(([value, hint]) => ({ value, hint }));

/** A created endpoint. The secret is shown only once. */
type CreatedEndpoint = { id: string; secret: string };
export type EndpointFormState = FormState & { created?: CreatedEndpoint };

type Props = {
  save: (state: EndpointFormState, form: FormData) => Promise<EndpointFormState>;
  initial: FormState['values'];
  /** The default events of a new endpoint by its format. An existing one keeps its events. */
  presets?: Record<string, string>;
  preview: PreviewTemplate;
  ruleChoices: RuleChoices;
  submit: string;
  cancelHref: string;
};

/** The form of a new or existing endpoint. A new one replaces it with its secret. */
export function EndpointForm(props: Props) {
  const { save, initial, presets, preview, ruleChoices, submit, cancelHref } = props;
  const [state, action, isPending] = useActionState<EndpointFormState, FormData>(save, freshState(initial));
  const { values, errors, created } = state;
  const [format = 'standard', setFormat] = useState(values.format);
  const ownUrl = defaultUrl(format);
  const isUrlOptional = areCredentialsOptional(format);
  const areEventsChosen = useRef(false);
  const [preset, setPreset] = useState<{ of: EndpointFormState; events: string } | null>(null);
  const events = preset?.of === state ? preset.events : (values.events ?? '');
  const chooseFormat = (chosen: string) => {
    setFormat(chosen);
    const usual = presets?.[chosen];
    if (usual !== undefined && !areEventsChosen.current) setPreset({ of: state, events: usual });
  };
  if (created) return <NewEndpoint {...created} />;
  return (
    <GuardedForm action={action} state={state} className="flex flex-col gap-5">
      <SelectField
        {...fieldOf(state, 'format')}
        label="Format"
        options={FORMATS}
        onChange={(event) => chooseFormat(event.target.value)}
        hint={FORMATS.find(({ value }) => value === format)?.hint}
      />
      <TextField
        {...fieldOf(state, 'url')}
        label="URL"
        type="url"
        required={ownUrl === null && !isUrlOptional}
        isCode
        placeholder={ownUrl ?? 'https://example.com/hooks/pharos'}
        hint={formatUrlHint(ownUrl, isUrlOptional)}
      />
      <CredentialFields state={state} format={format} />
      {format === 'custom' ? <TemplateFields state={state} preview={preview} /> : null}
      <TextField
        {...fieldOf(state, 'description')}
        label="Description"
        placeholder="On-call bot"
        hint="Shown in the list of endpoints."
      />
      <div
        onChange={() => {
          areEventsChosen.current = true;
        }}
      >
        <CheckCards
          key={events}
          name="events"
          label="Events"
          options={EVENTS}
          chosen={events.split(',')}
          error={errors.events}
          className="sm:grid-cols-2"
        />
      </div>
      <RuleEditor
        name="rules"
        label="Rules"
        hint="Without rules, these events of all monitors are sent. With rules, what matches one of them, and the rest of an incident that was sent."
        value={values.rules ?? ''}
        kinds={EVENT_KINDS}
        choices={ruleChoices}
        errors={errors}
      />
      {isReadByPeople(format) ? (
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
      <FormButtons cancelHref={cancelHref} isPending={isPending}>
        {submit}
      </FormButtons>
    </GuardedForm>
  );
}

function formatUrlHint(ownUrl: string | null, isUrlOptional: boolean): string {
  if (isUrlOptional) return 'Of an incoming webhook. Leave empty with a bot token.';
  return ownUrl ? `Leave empty for ${ownUrl}.` : 'Receives a POST request for every event. Use HTTPS.';
}

function NewEndpoint({ id, secret }: CreatedEndpoint) {
  return (
    <div className="flex flex-col gap-5">
      <NewSecret secret={secret} />
      <ButtonLink tone="primary" size="large" href={`/notifications/${id}`} className="self-start">
        Go to the endpoint and test it
      </ButtonLink>
    </div>
  );
}
