'use client';

import { useRef, useState } from 'react';
import { CheckCards, CheckField, SelectField, TextField } from '@/components/ui/forms/field';
import { FormButtons } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { EVENT_KINDS } from '@/lib/schemas/webhooks/event-kinds';
import { type CredentialChoice, CredentialFields } from './credential-fields';
import { EVENT_TEXTS } from './delivery-texts';
import { RuleEditor } from './rules/rule-editor';
import type { RuleChoices } from './rules/rule-texts';
import { NewSecret } from './secret-section';
import { TemplateFields } from './template-fields';
import type { PreviewTemplate } from './template-preview';

const EVENTS = Object.entries(EVENT_TEXTS).map(([value, hint]) => ({ value, hint }));

/** A created endpoint. The secret is shown only once. */
type CreatedEndpoint = { id: string; secret: string };
export type EndpointFormState = FormState & { created?: CreatedEndpoint };

/** A format that can be chosen, and what the form asks with it. */
export type FormatChoice = {
  value: string;
  label: string;
  hint: string;
  url: { isRequired: boolean; placeholder: string; hint: string };
  credentials: CredentialChoice[];
  hasTemplate: boolean;
  hasAcknowledgeLinks: boolean;
  /** The default events of a new endpoint. An existing one keeps its events. */
  events: string;
};

type Props = {
  save: (state: EndpointFormState, form: FormData) => Promise<EndpointFormState>;
  initial: FormState['values'];
  formats: readonly FormatChoice[];
  isNew?: boolean;
  preview: PreviewTemplate;
  ruleChoices: RuleChoices;
  submit: string;
  cancelHref: string;
};

/** The form of a new or existing endpoint. A new one replaces it with its secret. */
export function EndpointForm(props: Props) {
  const { save, initial, formats, isNew = false, preview, ruleChoices, submit, cancelHref } = props;
  const [state, action, isPending] = useSubmission<EndpointFormState>(save, freshState(initial));
  const { values, errors, created } = state;
  const { format, chooseFormat, events, keepEvents } = useFormat(state, formats, isNew);
  if (created) return <NewEndpoint {...created} />;
  const credentials = format?.credentials.map(({ name }) => `credentials.${name}`) ?? [];
  return (
    <GuardedForm
      action={action}
      state={state}
      together={[['format', 'url', ...credentials]]}
      className="flex flex-col gap-5"
    >
      <FormatFields
        state={state}
        formats={formats}
        format={format}
        onChoose={chooseFormat}
        preview={preview}
      />
      <TextField
        {...fieldOf(state, 'description')}
        label="Description"
        placeholder="On-call bot"
        hint="Shown in the list of endpoints."
      />
      <div onChange={keepEvents}>
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
      <FormButtons cancelHref={cancelHref} isPending={isPending}>
        {submit}
      </FormButtons>
    </GuardedForm>
  );
}

/** The chosen format, and the events that are sent: those that are usual for it, until others are chosen. */
function useFormat(state: EndpointFormState, formats: readonly FormatChoice[], isNew: boolean) {
  const { values } = state;
  const [value, setValue] = useState(values.format);
  const format = formats.find((each) => each.value === value);
  const areEventsChosen = useRef(false);
  const [preset, setPreset] = useState<{ of: FormState['values']; events: string } | null>(null);
  const events = preset?.of === values ? preset.events : (values.events ?? '');
  const chooseFormat = (chosen: string) => {
    setValue(chosen);
    const usual = formats.find((each) => each.value === chosen)?.events;
    if (isNew && usual !== undefined && !areEventsChosen.current) setPreset({ of: values, events: usual });
  };
  const keepEvents = () => {
    areEventsChosen.current = true;
  };
  return { format, chooseFormat, events, keepEvents };
}

type FormatFieldsProps = Pick<Props, 'formats' | 'preview'> & {
  state: EndpointFormState;
  format: FormatChoice | undefined;
  onChoose: (format: string) => void;
};

/** The format of messages, and what it needs. */
function FormatFields({ state, formats, format, onChoose, preview }: FormatFieldsProps) {
  return (
    <>
      <SelectField
        {...fieldOf(state, 'format')}
        label="Format"
        options={formats}
        onChange={(event) => onChoose(event.target.value)}
        hint={format?.hint}
      />
      <TextField
        {...fieldOf(state, 'url')}
        label="URL"
        type="url"
        required={format?.url.isRequired}
        isCode
        placeholder={format?.url.placeholder}
        hint={format?.url.hint}
      />
      {format ? (
        <CredentialFields state={state} format={format.value} credentials={format.credentials} />
      ) : null}
      {format?.hasTemplate ? <TemplateFields state={state} preview={preview} /> : null}
    </>
  );
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
