'use client';

import Link from 'next/link';
import { useActionState, useState } from 'react';
import { MonitorPicker } from '@/components/maintenance/monitor-picker';
import { buttonLook } from '@/components/ui/button';
import { SelectField, TextField } from '@/components/ui/field';
import { Form } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import { SubmitButton } from '@/components/ui/submit-button';
import { INCIDENT_SEVERITIES } from '@/lib/schemas/incident-statuses';
import { type AudiencePage, audienceOf } from './audience-of';
import { FirstMessage } from './first-message';
import { SEVERITY_WORDS } from './incident-texts';
import { ShownOn } from './shown-on';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  monitors: readonly { id: string; name: string }[];
  pages: readonly AudiencePage[];
  /** An incident that is there is only described anew; what is said of it goes into updates. */
  isNew: boolean;
  /** Monitors of the incident that are deleted: it goes on naming them. */
  deleted?: readonly string[];
  cancelHref: string;
};

const SEVERITIES = INCIDENT_SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value] }));

/** The form of an incident, and beside it who will see what. */
export function IncidentForm({ save, initial, monitors, pages, isNew, deleted = [], cancelHref }: Props) {
  const [state, action, isPending] = useActionState(save, freshState(initial));
  const { values, errors } = state;
  const [shown, setShown] = useState(() => ({
    title: initial.title ?? '',
    severity: initial.severity ?? 'major',
    chosen: listIds(initial.affectedMonitors),
  }));
  const audience = audienceOf(pages, shown.chosen);
  return (
    <Form action={action} state={state} className="flex flex-col gap-5">
      <TextField
        name="title"
        label="Title"
        required
        placeholder="Checkout fails for some customers"
        defaultValue={values.title}
        onChange={(event) => setShown({ ...shown, title: event.target.value })}
        error={errors.title}
      />
      <SelectField
        name="severity"
        label="Severity"
        options={SEVERITIES}
        defaultValue={values.severity}
        onChange={(event) => setShown({ ...shown, severity: event.target.value })}
        error={errors.severity}
        className="sm:w-56"
      />
      <MonitorPicker
        name="affectedMonitors"
        label="Affected monitors"
        monitors={monitors}
        chosen={listIds(values.affectedMonitors)}
        onChoose={(chosen) => setShown({ ...shown, chosen })}
        error={errors.affectedMonitors}
      />
      {deleted.map((id) => (
        <input key={id} type="hidden" name="affectedMonitors" value={id} />
      ))}
      <section className="flex flex-col gap-1" aria-labelledby="shown-on">
        <h2 id="shown-on" className="text-sm font-medium">
          Shown on
        </h2>
        <ShownOn audience={audience} />
      </section>
      {isNew ? (
        <FirstMessage values={values} errors={errors} shown={shown} monitors={monitors} audience={audience} />
      ) : (
        <p className="text-xs text-muted">
          Status pages show the change at once. Nobody is mailed: post an update to tell of it.
        </p>
      )}
      <div className="flex justify-end gap-2 border-t border-line pt-4">
        <Link prefetch={false} href={cancelHref} className={buttonLook({ size: 'large' })}>
          Cancel
        </Link>
        <SubmitButton tone="primary" size="large" isPending={isPending}>
          {isNew ? 'Open incident' : 'Save changes'}
        </SubmitButton>
      </div>
    </Form>
  );
}

function listIds(joined = ''): string[] {
  return joined.split(',').filter((id) => id !== '');
}
