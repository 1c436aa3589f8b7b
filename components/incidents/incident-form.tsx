'use client';

import { useActionState, useState } from 'react';
import { MonitorPicker } from '@/components/maintenance/monitor-picker';
import { SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { Form, FormButtons } from '@/components/ui/forms/form';
import { bindFields, type FormState, freshState } from '@/components/ui/forms/form-state';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import { SEVERITY_LABELS, SEVERITY_OPTIONS, STATUS_LABELS, STATUS_OPTIONS } from './incident-texts';
import { type Audience, type AudiencePage, audienceOf, EmailNote, ShownOn } from './shown-on';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  monitors: readonly { id: string; name: string }[];
  pages: readonly AudiencePage[];
  /** An existing incident has no first message; its status changes through updates. */
  isNew: boolean;
  /** Deleted monitors, which the incident keeps. */
  deleted?: readonly string[];
  cancelHref: string;
};

/** The form of an incident, with a preview of who will see what. */
export function IncidentForm({ save, initial, monitors, pages, isNew, deleted = [], cancelHref }: Props) {
  const [state, action, isPending] = useActionState(save, freshState(initial));
  const { values, errors } = state;
  const field = bindFields(state);
  const [shown, setShown] = useState(() => ({
    title: initial.title ?? '',
    severity: initial.severity ?? 'major',
    chosen: listIds(initial.affectedMonitors),
  }));
  const audience = audienceOf(pages, shown.chosen);
  return (
    <Form action={action} state={state} className="flex flex-col gap-5">
      <TextField
        {...field('title')}
        label="Title"
        required
        placeholder="Checkout fails for some customers"
        onChange={(event) => setShown({ ...shown, title: event.target.value })}
      />
      <SelectField
        {...field('severity')}
        label="Severity"
        options={SEVERITY_OPTIONS}
        onChange={(event) => setShown({ ...shown, severity: event.target.value })}
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
          Status pages show the change right away. No email is sent; post an update to notify subscribers.
        </p>
      )}
      <FormButtons cancelHref={cancelHref} isPending={isPending}>
        {isNew ? 'Open incident' : 'Save changes'}
      </FormButtons>
    </Form>
  );
}

function listIds(joined = ''): string[] {
  return joined.split(',').filter(Boolean);
}

type FirstMessageProps = {
  values: Record<string, string>;
  errors: Record<string, string>;
  /** The other fields of the form. */
  shown: { title: string; severity: string; chosen: readonly string[] };
  monitors: readonly { id: string; name: string }[];
  audience: Audience;
};

/** The first status and message of an incident, with a preview of the public text. */
function FirstMessage({ values, errors, shown, monitors, audience }: FirstMessageProps) {
  const [message, setMessage] = useState(values.description ?? '');
  const [status, setStatus] = useState(values.status ?? 'investigating');
  const { title, severity, chosen } = shown;
  const isShown = new Set(audience.pages.flatMap((page) => page.monitors));
  const names = monitors.filter(({ id }) => chosen.includes(id) && isShown.has(id)).map(({ name }) => name);
  return (
    <>
      <SelectField
        name="status"
        label="Status"
        options={STATUS_OPTIONS}
        value={status}
        onChange={(event) => setStatus(event.target.value)}
        error={errors.status}
        className="sm:w-56"
      />
      <TextArea
        name="description"
        label="First message"
        hint="Shown publicly. If empty, the title is used."
        placeholder="What people are noticing, and what you're doing about it."
        className="[&_textarea]:font-sans"
        rows={4}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
        error={errors.description}
      />
      <section className="flex flex-col gap-1" aria-labelledby="preview">
        <h2 id="preview" className="text-sm font-medium">
          Public preview
        </h2>
        {audience.pages.length > 0 ? (
          <PublicPreview
            title={title}
            message={message}
            status={INCIDENT_STATUSES.find((each) => each === status) ?? 'investigating'}
            severity={INCIDENT_SEVERITIES.find((each) => each === severity) ?? 'major'}
            names={names}
          />
        ) : (
          <p className="text-muted">Not public yet. Select a monitor that is on a status page.</p>
        )}
        <EmailNote audience={audience} />
      </section>
    </>
  );
}

type PublicPreviewProps = {
  title: string;
  message: string;
  status: Incident['status'];
  severity: Incident['severity'];
  /** Affected monitors that are on one of the pages; the others are not shown. */
  names: readonly string[];
};

/** The text that visitors of a status page will read; pages have their own colors and languages. */
function PublicPreview({ title, message, status, severity, names }: PublicPreviewProps) {
  return (
    <div className="flex flex-col gap-1.5 rounded-lg border border-l-4 border-line border-l-line-strong bg-surface px-4 py-3">
      <p className="font-semibold wrap-anywhere">{title || 'Untitled'}</p>
      <p className="text-xs text-muted wrap-anywhere">
        {SEVERITY_LABELS[severity]} · {STATUS_LABELS[status]}
        {names.length > 0 ? ` · Affects ${names.join(', ')}` : ''}
      </p>
      <p className="whitespace-pre-line wrap-anywhere">
        <strong className="font-semibold">{STATUS_LABELS[status]}</strong>{' '}
        <span className="text-muted">now</span>
        <br />
        {message || title}
      </p>
    </div>
  );
}
