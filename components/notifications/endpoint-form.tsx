'use client';

import { useActionState, useState } from 'react';
import { CheckCards, CheckField, SelectField, TextField } from '@/components/ui/forms/field';
import { Form, FormButtons } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { EVENT_TEXTS, FORMAT_TEXTS } from './delivery-texts';

const FORMATS = Object.entries(FORMAT_TEXTS).map(([value, texts]) => ({ value, ...texts }));
const EVENTS = Object.entries(EVENT_TEXTS).map(([value, hint]) => ({ value, hint }));

type EditProps = {
  update: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  cancelHref: string;
};

/** The form of an existing endpoint. */
export function EditEndpoint({ update, initial, cancelHref }: EditProps) {
  const [state, action, isPending] = useActionState(update, freshState(initial));
  return <EndpointForm {...{ state, action, isPending, cancelHref }} submit="Save changes" />;
}

type Props = {
  state: FormState;
  action: (form: FormData) => void;
  isPending: boolean;
  submit: string;
  cancelHref: string;
};

/** The fields of an endpoint. */
export function EndpointForm({ state, action, isPending, submit, cancelHref }: Props) {
  const { values, errors } = state;
  const [format, setFormat] = useState(values.format);
  return (
    <Form action={action} state={state} className="flex flex-col gap-5">
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
    </Form>
  );
}
