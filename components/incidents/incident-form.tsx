'use client';

import { useActionState, useState } from 'react';
import { MonitorPicker } from '@/components/maintenance/monitor-picker';
import { SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { FormButtons, useTyped } from '@/components/ui/forms/form';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { Section } from '@/components/ui/section';
import { SEVERITY_EFFECTS, SEVERITY_OPTIONS, STATUS_OPTIONS } from './incident-texts';
import { type Audience, type AudiencePage, audienceOf, EmailNote, ShownOn } from './shown-on';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  monitors: readonly { id: string; name: string }[];
  pages: readonly AudiencePage[];
  /** An existing incident has no first message; its status changes through updates. */
  isNew: boolean;
  /** Deleted monitors, which the incident keeps, as it does removed components. */
  deleted?: readonly string[];
  cancelHref: string;
};

/** The form of an incident, with a preview of who will see what. */
export function IncidentForm({ save, initial, monitors, pages, isNew, deleted = [], cancelHref }: Props) {
  const [state, action, isPending] = useActionState(save, freshState(initial));
  const { values, errors } = state;
  const { title = '', severity = 'major', status = 'investigating', description = '' } = values;
  const { typed, bind } = useTyped({ title, severity, status, description }, errors);
  const [chosen, setChosen] = useState(values.affectedMonitors?.split(',').filter(Boolean) ?? []);
  const [chosenComponents, setChosenComponents] = useState(
    values.affectedComponents?.split(',').filter(Boolean) ?? [],
  );
  const components = pages.flatMap((page) =>
    page.components.map(({ id, name }) => ({ id, name: pages.length > 1 ? `${name} (${page.name})` : name })),
  );
  const audience = audienceOf(pages, [...chosen, ...chosenComponents]);
  return (
    <GuardedForm action={action} state={state} className="flex flex-col gap-5">
      <TextField {...bind('title')} label="Title" required placeholder="Checkout fails for some customers" />
      <SelectField
        {...bind('severity')}
        label="Severity"
        hint={SEVERITY_EFFECTS[typed.severity]}
        options={SEVERITY_OPTIONS}
        className="sm:w-56"
      />
      <MonitorPicker
        name="affectedMonitors"
        label="Affected monitors"
        monitors={monitors}
        chosen={chosen}
        onChoose={setChosen}
        error={errors.affectedMonitors}
      />
      {deleted.map((id) => (
        <input key={id} type="hidden" name="affectedMonitors" value={id} />
      ))}
      {chosenComponents
        .filter((id) => components.every((component) => component.id !== id))
        .map((id) => (
          <input key={id} type="hidden" name="affectedComponents" value={id} />
        ))}
      {components.length === 0 ? null : (
        <MonitorPicker
          name="affectedComponents"
          label="Affected components"
          noun="components"
          monitors={components}
          chosen={chosenComponents}
          onChoose={setChosenComponents}
          error={errors.affectedComponents}
        />
      )}
      <Section title="Shown on" gap="gap-1">
        <ShownOn audience={audience} />
      </Section>
      {isNew ? (
        <>
          <SelectField {...bind('status')} label="Status" options={STATUS_OPTIONS} className="sm:w-56" />
          <TextArea
            {...bind('description')}
            label="First message"
            hint="Shown publicly. If empty, the title is used."
            placeholder="What people are noticing, and what you're doing about it."
            className="[&_textarea]:font-sans"
            rows={4}
          />
          <PublicPreview
            typed={typed}
            affected={[
              ...monitors.filter(({ id }) => chosen.includes(id)),
              ...pages.flatMap((page) => page.components.filter(({ id }) => chosenComponents.includes(id))),
            ]}
            audience={audience}
          />
        </>
      ) : (
        <p className="text-xs text-muted">
          Status pages show the change right away. No email is sent; post an update to notify subscribers.
        </p>
      )}
      <FormButtons cancelHref={cancelHref} isPending={isPending}>
        {isNew ? 'Open incident' : 'Save changes'}
      </FormButtons>
    </GuardedForm>
  );
}

type PreviewProps = {
  typed: Record<'title' | 'severity' | 'status' | 'description', string>;
  affected: Props['monitors'];
  audience: Audience;
};

/** What visitors of a status page will read, and who gets an email; pages have their own colors and languages. */
function PublicPreview({ typed, affected, audience }: PreviewProps) {
  const { title, description } = typed;
  const status = labelOf(STATUS_OPTIONS, typed.status);
  const shown = new Set(
    audience.pages.flatMap((page) => [...page.monitors, ...page.components.map(({ id }) => id)]),
  );
  const names = affected.filter(({ id }) => shown.has(id)).map(({ name }) => name);
  return (
    <Section title="Public preview" gap="gap-1">
      {audience.pages.length > 0 ? (
        <div className="flex flex-col gap-1.5 rounded-lg border border-l-4 border-line border-l-line-strong bg-surface px-4 py-3">
          <p className="font-semibold wrap-anywhere">{title || 'Untitled'}</p>
          <p className="text-xs text-muted wrap-anywhere">
            {labelOf(SEVERITY_OPTIONS, typed.severity)} · {status}
            {names.length > 0 ? ` · Affects ${names.join(', ')}` : ''}
          </p>
          <p className="whitespace-pre-line wrap-anywhere">
            <strong className="font-semibold">{status}</strong> <span className="text-muted">now</span>
            <br />
            {description || title}
          </p>
        </div>
      ) : (
        <p className="text-muted">Not public yet. Select a monitor or component that is on a status page.</p>
      )}
      <EmailNote audience={audience} />
    </Section>
  );
}

function labelOf(options: readonly { value: string; label: string }[], value: string): string | undefined {
  return options.find((option) => option.value === value)?.label;
}
