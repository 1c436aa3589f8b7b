import { useState } from 'react';
import { TranslationFields } from '@/components/translations/translation-fields';
import { translationValues } from '@/components/translations/translation-names';
import { SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { useTyped } from '@/components/ui/forms/form';
import type { FormState } from '@/components/ui/forms/form-state';
import { useTimeZone } from '@/components/ui/time/page-clock';
import { instantText, wallText } from '@/lib/core/time/zoned-time';
import type { Incident } from '@/lib/schemas/incidents/incident';
import type { IncidentTemplate } from '@/lib/schemas/incidents/incident-template';
import { STATUS_LABELS, STATUS_OPTIONS } from './incident-texts';
import { TemplateField } from './template-field';

type Props = {
  state: FormState;
  /** The status of the incident now. */
  current: Incident['status'];
  templates: readonly IncidentTemplate[];
  /** What is said about resolving it while its monitors are failing; null: they are not. */
  failing?: string | null;
  /** Whether it is scheduled already, and can only be published later. */
  isScheduled?: boolean;
};

/** The fields of an update, posted or scheduled. */
export function UpdateFields({ state, current, templates, failing = null, isScheduled = false }: Props) {
  const { values, errors } = state;
  const { message = '', status = '', resolveAfterMinutes = '' } = values;
  const { typed, setTyped, bind } = useTyped({ message, status, resolveAfterMinutes }, errors);
  const [translated, setTranslated] = useState(values);
  /** Remounts the translations, which keep what is typed. */
  const [filled, setFilled] = useState(0);
  return (
    <>
      <TemplateField
        templates={templates}
        onChoose={({ message, status, translations }) => {
          setTyped({ ...typed, message, status: status === current ? '' : status });
          setTranslated(translationValues(translations));
          setFilled(filled + 1);
        }}
      />
      <TextArea
        {...bind('message')}
        label="Message"
        required
        placeholder="What you know, what you're doing, and when you'll post the next update."
        className="[&_textarea]:font-sans"
      />
      <TranslationFields
        key={filled}
        texts={[{ name: 'message', label: 'Message', isLong: true }]}
        values={translated}
        error={errors.translations}
      />
      <div className="flex flex-wrap gap-3">
        <SelectField
          {...bind('status')}
          label="Status"
          options={[
            {
              value: '',
              label: isScheduled ? 'No change' : `${STATUS_LABELS[current]} (no change)`,
            },
            ...STATUS_OPTIONS.filter(({ value }) => isScheduled || value !== current),
          ]}
          hint={current === 'resolved' && typed.status !== '' ? 'This reopens the incident.' : undefined}
          className="w-full sm:w-56"
        />
        {(typed.status || current) === 'monitoring' ? (
          <TextField
            {...bind('resolveAfterMinutes')}
            type="number"
            min={1}
            unit="min"
            label="Resolve after"
            hint="Once all affected monitors have been operational for this long. Leave empty to resolve it yourself."
            className="w-full sm:w-56"
          />
        ) : null}
      </div>
      <p className="text-slow empty:hidden" aria-live="polite">
        {typed.status === 'resolved' ? failing : null}
      </p>
      <PublishFields publishAt={values.publishAt} error={errors.publishAt} isScheduled={isScheduled} />
    </>
  );
}

type PublishFieldsProps = {
  /** The time that was chosen, as the API takes it. */
  publishAt?: string;
  error?: string;
  isScheduled: boolean;
};

const WHEN = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'At a set time' },
];

/** When an update is published: now, or at a time that is typed in the time zone of the browser. */
function PublishFields({ publishAt = '', error, isScheduled }: PublishFieldsProps) {
  const [when, setWhen] = useState(isScheduled || publishAt !== '' ? 'later' : 'now');
  const zone = useTimeZone();
  const [typed, setTyped] = useState<string | null>(null);
  const local = typed ?? wallText(Date.parse(publishAt), zone);
  return (
    <div className="flex flex-wrap gap-3">
      {isScheduled ? (
        <input type="hidden" name="when" value="later" />
      ) : (
        <SelectField
          name="when"
          label="Publish"
          options={WHEN}
          value={when}
          onChange={({ target }) => setWhen(target.value)}
          className="w-full sm:w-56"
        />
      )}
      {when === 'later' ? (
        <>
          <TextField
            name="publishAtLocal"
            type="datetime-local"
            label="Publish at"
            hint="In your time zone. Not published if the incident is resolved by then."
            value={local}
            onChange={({ target }) => setTyped(target.value)}
            error={error}
            className="w-full sm:w-56"
          />
          <input type="hidden" name="publishAt" value={instantText(local, zone)} />
        </>
      ) : null}
    </div>
  );
}
