'use client';

import { useActionState, useState } from 'react';
import { Banner } from '@/components/ui/banner';
import { CheckCards, CheckField, SelectField, TextField } from '@/components/ui/forms/field';
import { FormButtons } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { EVENT_TEXTS, FORMAT_TEXTS } from './delivery-texts';
import { NewSecret } from './secret-section';

const FORMATS = Object.entries(FORMAT_TEXTS).map(([value, texts]) => ({ value, ...texts }));
const EVENTS = Object.entries(EVENT_TEXTS).map(([value, hint]) => ({ value, hint }));

/** A created endpoint. The secret is shown only once; null if the format is not signed. */
type CreatedEndpoint = { id: string; secret: string | null };
export type EndpointFormState = FormState & { created?: CreatedEndpoint };

type Props = {
  save: (state: EndpointFormState, form: FormData) => Promise<EndpointFormState>;
  initial: FormState['values'];
  submit: string;
  cancelHref: string;
};

/** The form of a new or existing endpoint. A new one replaces it with its secret. */
export function EndpointForm({ save, initial, submit, cancelHref }: Props) {
  const [state, action, isPending] = useActionState<EndpointFormState, FormData>(save, freshState(initial));
  const { values, errors, created } = state;
  const [format, setFormat] = useState(values.format);
  if (created) return <NewEndpoint {...created} />;
  return (
    <GuardedForm action={action} state={state} className="flex flex-col gap-5">
      <TextField
        {...fieldOf(state, 'url')}
        label="URL"
        type="url"
        required
        isCode
        placeholder="https://example.com/hooks/pharos"
        hint="Receives a POST request for every event. Use HTTPS."
      />
      <TextField
        {...fieldOf(state, 'description')}
        label="Description"
        placeholder="On-call bot"
        hint="Shown in the list of endpoints."
      />
      <SelectField
        {...fieldOf(state, 'format')}
        label="Format"
        options={FORMATS}
        onChange={(event) => setFormat(event.target.value)}
        hint={FORMATS.find(({ value }) => value === format)?.hint}
      />
      <CheckCards
        name="events"
        label="Events"
        options={EVENTS}
        chosen={values.events?.split(',') ?? []}
        error={errors.events}
        className="sm:grid-cols-2"
      />
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

function NewEndpoint({ id, secret }: CreatedEndpoint) {
  return (
    <div className="flex flex-col gap-5">
      {secret ? (
        <NewSecret secret={secret} />
      ) : (
        <Banner tone="note">
          The endpoint was created. Messages in this format are not signed, so there is no secret.
        </Banner>
      )}
      <ButtonLink tone="primary" size="large" href={`/notifications/${id}`} className="self-start">
        Go to the endpoint and test it
      </ButtonLink>
    </div>
  );
}
