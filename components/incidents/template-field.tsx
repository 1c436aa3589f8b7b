import { useState } from 'react';
import { SelectField } from '@/components/ui/forms/field';
import type { IncidentTemplate } from '@/lib/schemas/incidents/incident-template';

type Props = { templates: readonly IncidentTemplate[]; onChoose: (template: IncidentTemplate) => void };

/** Fills in a form from a template; nothing without templates. What it fills in can be edited, and is all that is sent. */
export function TemplateField({ templates, onChoose }: Props) {
  const [id, setId] = useState('');
  if (templates.length === 0) return null;
  return (
    <SelectField
      name="template"
      label="Template"
      hint="Fills in the fields below, which you can then edit."
      options={[
        { value: '', label: 'None' },
        ...templates.map((template) => ({ value: template.id, label: template.name })),
      ]}
      value={id}
      onChange={({ target }) => {
        setId(target.value);
        const template = templates.find((each) => each.id === target.value);
        if (template !== undefined) onChoose(template);
      }}
      className="sm:w-72"
    />
  );
}
