'use client';

import Link from 'next/link';
import { useActionState, useState } from 'react';
import { MonitorPicker } from '@/components/maintenance/monitor-picker';
import { buttonLook } from '@/components/ui/button';
import { SelectField, TextArea, TextField } from '@/components/ui/field';
import { Form, SubmitButton } from '@/components/ui/form';
import { type FormState, freshState } from '@/components/ui/form-state';
import type { Incident } from '@/lib/schemas/incident';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incident-statuses';
import { SEVERITY_WORDS, STATUS_WORDS } from './incident-texts';
import { type AudienceOf, type AudiencePage, audienceOf, MailNote, ShownOn } from './shown-on';

type FirstMessageProps = {
  values: Record<string, string>;
  errors: Record<string, string>;
  /** What the form holds besides. */
  shown: { title: string; severity: string; chosen: readonly string[] };
  monitors: readonly { id: string; name: string }[];
  audience: AudienceOf;
};

const STATUSES = INCIDENT_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] }));

type PublicPreviewProps = {
  title: string;
  message: string;
  status: Incident['status'];
  severity: Incident['severity'];
  /** Those that a published page shows: a page leaves out monitors that are not on it. */
  names: readonly string[];
};

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

/** How an incident begins: its status and what is said first, with what the public will read. */
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
        options={STATUSES}
        value={status}
        onChange={(event) => setStatus(event.target.value)}
        error={errors.status}
        className="sm:w-56"
      />
      <TextArea
        name="description"
        label="First message"
        hint="Public. Without it the title is said."
        placeholder="What people notice, and what is being done."
        className="[&_textarea]:font-sans"
        rows={4}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
        error={errors.description}
      />
      <section className="flex flex-col gap-1" aria-labelledby="preview">
        <h2 id="preview" className="text-sm font-medium">
          What visitors will read
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
          <p className="text-muted">
            Nothing: choose a monitor that is on a status page, and it is shown there.
          </p>
        )}
        <MailNote audience={audience} />
      </section>
    </>
  );
}

/** The words that visitors of a status page will read; the page has colours and a language of its own. */
function PublicPreview({ title, message, status, severity, names }: PublicPreviewProps) {
  return (
    <div className="flex flex-col gap-1.5 rounded-lg border border-l-4 border-line border-l-line-strong bg-surface px-4 py-3">
      <p className="font-semibold wrap-anywhere">{title || 'Untitled'}</p>
      <p className="text-xs text-muted wrap-anywhere">
        {SEVERITY_WORDS[severity]} · {STATUS_WORDS[status]}
        {names.length > 0 ? ` · Affects ${names.join(', ')}` : ''}
      </p>
      <p className="whitespace-pre-line wrap-anywhere">
        <strong className="font-semibold">{STATUS_WORDS[status]}</strong>{' '}
        <span className="text-muted">now</span>
        <br />
        {message || title}
      </p>
    </div>
  );
}
