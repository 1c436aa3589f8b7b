import { useState } from 'react';
import { TranslationFields } from '@/components/translations/translation-fields';
import { translationValues } from '@/components/translations/translation-names';
import { SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { useTyped } from '@/components/ui/forms/form';
import type { FormState } from '@/components/ui/forms/form-state';
import type { Incident } from '@/lib/schemas/incidents/incident';
import type { IncidentTemplate } from '@/lib/schemas/incidents/incident-template';
import { STATUS_LABELS, STATUS_OPTIONS } from './incident-texts';
import { PublishFields } from './publish-fields';
import { TemplateField } from './template-field';

type Props = {
  state: FormState;
  /** The status of the incident now. */
  current: Incident['status'];
  templates: readonly IncidentTemplate[];
  /** Whether it is scheduled already, and can only be published later. */
  isScheduled?: boolean;
};

/** The fields of an update, posted or scheduled. */
export function UpdateFields({ state, current, templates, isScheduled = false }: Props) {
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
      <PublishFields publishAt={values.publishAt} error={errors.publishAt} isScheduled={isScheduled} />
    </>
  );
}
