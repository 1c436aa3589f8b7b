'use client';

import { useState } from 'react';
import { TranslationFields } from '@/components/translations/translation-fields';
import { translationValues } from '@/components/translations/translation-names';
import { INPUT, SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { FormButtons, useTyped } from '@/components/ui/forms/form';
import { type FormState, formatFieldError, freshState } from '@/components/ui/forms/form-state';
import { GuardedForm } from '@/components/ui/forms/guarded-form';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { Section } from '@/components/ui/section';
import type { IncidentTemplate } from '@/lib/schemas/incidents/incident-template';
import { AffectedFields, useAffected } from './affected-fields';
import { IMPACT } from './impact-prefix';
import { SEVERITY_EFFECTS, SEVERITY_LABELS, SEVERITY_OPTIONS, STATUS_OPTIONS } from './incident-texts';
import { type Audience, type AudiencePage, audienceOf, componentsOf, EmailNote, ShownOn } from './shown-on';
import { TemplateField } from './template-field';

type Props = {
  save: (state: FormState, form: FormData) => Promise<FormState>;
  initial: FormState['values'];
  monitors: readonly { id: string; name: string }[];
  pages: readonly AudiencePage[];
  /** An existing incident has no first message; its status changes through updates. */
  isNew: boolean;
  /** What a new incident can be filled in from. */
  templates?: readonly IncidentTemplate[];
  cancelHref: string;
};

const TITLE = { name: 'title', label: 'Title' };

/** The form of an incident, with a preview of who will see what. */
export function IncidentForm(props: Props) {
  const { save, initial, monitors, pages, isNew, templates = [], cancelHref } = props;
  const [state, action, isPending] = useSubmission(save, freshState(initial));
  const { values, errors } = state;
  const { typed, bind, affected, setAffected, translated, filled, fill } = useIncident(
    state,
    monitors,
    pages,
  );
  const affectedRows = [
    ...monitors.filter(({ id }) => affected.monitors.includes(id)),
    ...componentsOf(pages).filter(({ id }) => affected.components.includes(id)),
  ];
  const audience = audienceOf(pages, [...affected.monitors, ...affected.components]);
  return (
    <GuardedForm action={action} state={state} className="flex flex-col gap-5">
      {isNew ? <TemplateField templates={templates} onChoose={fill} /> : null}
      <TextField {...bind('title')} label="Title" required placeholder="Checkout fails for some customers" />
      <SelectField
        {...bind('severity')}
        label="Severity"
        hint={SEVERITY_EFFECTS[typed.severity]}
        options={SEVERITY_OPTIONS}
        className="sm:w-56"
      />
      <AffectedFields
        key={filled}
        monitors={monitors}
        pages={pages}
        affected={affected}
        onChange={setAffected}
        errors={errors}
      />
      <ImpactFields rows={affectedRows} severity={typed.severity} values={values} error={errors.impacts} />
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
          <TranslationFields
            key={filled}
            texts={[TITLE, { name: 'description', label: 'First message', isLong: true }]}
            values={translated}
            error={errors.translations}
          />
          <PublicPreview typed={typed} affected={affectedRows} audience={audience} />
        </>
      ) : (
        <ExistingTranslations values={translated} error={errors.translations} />
      )}
      <FormButtons cancelHref={cancelHref} isPending={isPending}>
        {isNew ? 'Open incident' : 'Save changes'}
      </FormButtons>
    </GuardedForm>
  );
}

/** What is typed and selected, and `fill`, which replaces it with what a template contains. */
function useIncident({ values, errors }: FormState, monitors: Props['monitors'], pages: Props['pages']) {
  const { title = '', severity = 'major', status = 'investigating', description = '' } = values;
  const { typed, setTyped, bind } = useTyped({ title, severity, status, description }, errors);
  const [affected, setAffected] = useAffected(values);
  const [translated, setTranslated] = useState(values);
  /** Remounts what keeps what is typed: the choice of what is affected, and the translations. */
  const [filled, setFilled] = useState(0);
  const fill = (template: IncidentTemplate) => {
    const { severity, status, message, affectedMonitors, affectedComponents } = template;
    setTyped({ title: template.title || typed.title, severity, status, description: message });
    // Only what still exists: an incident of today does not affect what was deleted.
    const existing = (rows: Props['monitors'], ids: readonly string[]) =>
      rows.flatMap(({ id }) => (ids.includes(id) ? id : []));
    setAffected({
      monitors: existing(monitors, affectedMonitors),
      components: existing(componentsOf(pages), affectedComponents),
    });
    setTranslated(translationValues(template.translations, { message: 'description' }));
    setFilled(filled + 1);
  };
  return { typed, bind, affected, setAffected, translated, filled, fill };
}

/** Of an existing incident: its messages are translated with the updates. */
function ExistingTranslations({ values, error }: Pick<ImpactFieldsProps, 'values' | 'error'>) {
  return (
    <>
      <TranslationFields texts={[TITLE]} kept={['description']} values={values} error={error} />
      <p className="text-xs text-muted">
        Status pages show the change right away. No email is sent; post an update to notify subscribers.
      </p>
    </>
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

type ImpactFieldsProps = {
  /** What is affected. */
  rows: readonly { id: string; name: string }[];
  /** That of the incident. */
  severity: string;
  values: FormState['values'];
  error?: string;
};

/** The severity of single rows, if an incident affects several; folded until one differs. */
function ImpactFields({ rows, severity, values, error }: ImpactFieldsProps) {
  const isSet = rows.some(({ id }) => Boolean(values[`${IMPACT}${id}`]));
  const [isOpen, setOpen] = useState(isSet || error !== undefined);
  if (rows.length < 2 && !isSet) return null;
  const own = SEVERITY_LABELS[severity as keyof typeof SEVERITY_LABELS] ?? severity;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-sm font-medium">Severity per row</summary>
      <ul className="mt-2 rounded-lg border border-line bg-surface">
        {rows.map(({ id, name }) => (
          <li
            key={id}
            className="grid grid-cols-[minmax(0,1fr)_10rem] items-center gap-3 border-b border-line px-3 py-1.5 last:border-0"
          >
            <label htmlFor={`${IMPACT}${id}`} className="truncate">
              {name}
            </label>
            <select
              id={`${IMPACT}${id}`}
              name={`${IMPACT}${id}`}
              defaultValue={values[`${IMPACT}${id}`] ?? ''}
              className={`${INPUT} h-8`}
            >
              <option value="">{own} (default)</option>
              {SEVERITY_OPTIONS.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      {error ? <p className="mt-1 text-sm text-bad">{formatFieldError('Severity', error)}</p> : null}
    </details>
  );
}
