'use client';

import { useActionState, useState } from 'react';
import { CheckField, FieldNotes, SelectField, TextField } from '@/components/ui/forms/field';
import { Form, FormButtons } from '@/components/ui/forms/form';
import { type FormState, fieldOf, freshState } from '@/components/ui/forms/form-state';
import { EVENT_TEXTS, FORMAT_TEXTS } from './delivery-texts';

const FORMATS = Object.entries(FORMAT_TEXTS).map(([value, texts]) => ({ value, ...texts }));

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
        className="[&_input]:font-mono"
        placeholder="https://example.com/hooks/pharos"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
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
      <EventChoice chosen={values.events?.split(',') ?? []} error={errors.events} />
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

/** The events that an endpoint receives; at least one. */
function EventChoice({ chosen, error }: { chosen: string[]; error?: string }) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">Events</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {Object.entries(EVENT_TEXTS).map(([kind, meaning], index) => (
          <label
            key={kind}
            className="flex items-start gap-2 rounded-md border border-line bg-surface px-3 py-2 hover:bg-sunken has-checked:border-accent"
          >
            <input
              type="checkbox"
              name="events"
              value={kind}
              defaultChecked={chosen.includes(kind)}
              aria-invalid={error && index === 0 ? true : undefined}
              aria-describedby={error ? 'events-error' : undefined}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <span className="block font-mono text-xs leading-5">{kind}</span>
              <span className="block text-xs text-muted">{meaning}</span>
            </span>
          </label>
        ))}
      </div>
      <FieldNotes name="events" label="Events" error={error} />
    </fieldset>
  );
}
